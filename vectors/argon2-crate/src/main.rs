//! Prints argon2-crate.json: keys of Argon2 in both versions, with secrets and data, by the crate argon2. cargo run > ../argon2-crate.json
use argon2::{Algorithm, Argon2, AssociatedData, ParamsBuilder, Version};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Numbers that look random and are the same in every run: Knuth's generator of 64 bits (The Art of Computer Programming, volume 2, 3.3.4).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }
}

fn main() {
    let mut numbers = Numbers(9106);
    let mut tests = Vec::new();
    for algorithm in [Algorithm::Argon2d, Algorithm::Argon2i, Algorithm::Argon2id] {
        for version in [Version::V0x10, Version::V0x13] {
            for p in [1, 2, 3, 4, 7] {
                for _ in 0..2 {
                    let t = 1 + numbers.below(4);
                    let m = 8 * p + numbers.below(130);
                    let length = 4 + numbers.below(124);
                    let [password, salt] = [0, 8].map(|least| {
                        let length = least + numbers.below(60);
                        numbers.bytes(length)
                    });
                    // The crate takes at most 32 bytes of associated data.
                    let [secret, data] = [48, 33].map(|end| {
                        let length = numbers.below(end);
                        numbers.bytes(length)
                    });
                    let mut builder = ParamsBuilder::new();
                    builder.t_cost(t as u32).m_cost(m as u32).p_cost(p as u32);
                    builder.data(AssociatedData::new(&data).unwrap());
                    let params = builder.build().unwrap();
                    let mut tag = vec![0; length as usize];
                    Argon2::new_with_secret(&secret, algorithm, version, params)
                        .unwrap()
                        .hash_password_into(&password, &salt, &mut tag)
                        .unwrap();
                    tests.push(format!(
                        "    {{\"function\":\"{}\",\"version\":{},\"t\":{t},\"m\":{m},\"p\":{p},\"dkLen\":{length},\"password\":\"{}\",\"salt\":\"{}\",\"secret\":\"{}\",\"ad\":\"{}\",\"tag\":\"{}\"}}",
                        algorithm.as_str(),
                        version as u32,
                        hex(&password),
                        hex(&salt),
                        hex(&secret),
                        hex(&data),
                        hex(&tag),
                    ));
                }
            }
        }
    }
    println!("{{");
    println!("  \"source\": \"ours: random arguments, and keys by the crate argon2 0.5.3 (RustCrypto)\",");
    println!("  \"made\": \"cargo run in argon2-crate/; every value is recomputed by verify.mjs\",");
    println!("  \"licence\": \"MIT\",");
    println!("  \"tests\": [\n{}\n  ]\n}}", tests.join(",\n"));
}
