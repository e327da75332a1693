//! Prints bao-tree.json: outboards, encodings and slices with chunk groups, by the crate bao-tree. cargo run > ../bao-tree.json
use bao_tree::io::outboard::PreOrderMemOutboard;
use bao_tree::io::sync::encode_ranges_validated;
use bao_tree::{BlockSize, ChunkNum, ChunkRanges};

/// The same bytes as those of the bao repository: a 4-byte little-endian integer that counts from 1.
fn input(length: usize) -> Vec<u8> {
    (1u32..).flat_map(u32::to_le_bytes).take(length).collect()
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn with_length(length: usize, bytes: &[u8]) -> Vec<u8> {
    [&(length as u64).to_le_bytes()[..], bytes].concat()
}

fn encoded(data: &[u8], outboard: &PreOrderMemOutboard, ranges: &ChunkRanges) -> Vec<u8> {
    let mut out = Vec::new();
    encode_ranges_validated(data, outboard, ranges, &mut out).unwrap();
    with_length(data.len(), &out)
}

fn main() {
    let mut tests = Vec::new();
    for log in [0u8, 1, 4, 6] {
        let group = 1024usize << log;
        let counts = [0, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17];
        let mut lengths: Vec<usize> = counts
            .iter()
            .flat_map(|n| [(n * group).saturating_sub(1), n * group, n * group + 1])
            .filter(|n| *n <= 300_000)
            .collect();
        lengths.sort();
        lengths.dedup();
        for length in lengths {
            let data = input(length);
            let outboard = PreOrderMemOutboard::create(&data, BlockSize::from_chunk_log(log));
            let tree = with_length(length, &outboard.data);
            let all = encoded(&data, &outboard, &ChunkRanges::all());
            let groups = length.div_ceil(group).max(1);
            let mut slices = Vec::new();
            for (first, count) in [(0, 1), (1, 1), (groups / 2, 2), (groups - 1, 1)] {
                // The last group ends with the content: bao-tree takes a range that ends in it for an open one.
                if first >= groups {
                    continue;
                }
                let chunks = 1u64 << log;
                let from = ChunkNum(first as u64 * chunks);
                let ranges = if first + count >= groups {
                    ChunkRanges::from(from..)
                } else {
                    ChunkRanges::from(from..ChunkNum((first + count) as u64 * chunks))
                };
                let slice = encoded(&data, &outboard, &ranges);
                slices.push(format!(
                    "{{\"start\":{},\"len\":{},\"output_len\":{},\"output_blake3\":\"{}\"}}",
                    first * group,
                    count * group,
                    slice.len(),
                    hash(&slice)
                ));
            }
            tests.push(format!(
                "    {{\"group\":{},\"input_len\":{},\"hash\":\"{}\",\"outboard_len\":{},\"outboard_blake3\":\"{}\",\"encoded_len\":{},\"encoded_blake3\":\"{}\",\"slices\":[{}]}}",
                group,
                length,
                outboard.root.to_hex(),
                tree.len(),
                hash(&tree),
                all.len(),
                hash(&all),
                slices.join(",")
            ));
        }
    }
    println!("{{");
    println!("  \"source\": \"Ours: outboards, encodings and slices of whole groups by the crate bao-tree 0.16.0, each with the 8 bytes of the length in front, which that crate leaves to others. The input is a 4-byte little-endian integer that counts from 1.\",");
    println!("  \"made\": \"cd vectors/bao-tree && cargo run > ../bao-tree.json\",");
    println!("  \"licence\": \"MIT\",");
    println!("  \"tests\": [\n{}\n  ]\n}}", tests.join(",\n"));
}
