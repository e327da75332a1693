//! Native code, timed in turns with another process: the official implementation of BLAKE3, and ciphers of C libraries.
//!
//! Without arguments, the program prints the vectors that BLAKE3 uses. With `LIBRARY OPERATION`, it prints the version of a
//! library, if it is installed. With `REQUESTS ANSWERS LENGTH [LIBRARY OPERATION]`, two named pipes and a number of bytes, it
//! reads a message of that length, preceded for a cipher by a key and a nonce, then counts of 32 bits. For each count it
//! repeats the operation so many times, and writes the nanoseconds as a 64-bit float, and the digest of the message, or of
//! the cipher's output. All numbers are little-endian.
mod ciphers;

use ciphers::{cipher, Cipher, KEY_BYTES, NONCE_BYTES};
use std::fs::File;
use std::hint::black_box;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::time::Instant;

fn invalid<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Error {
    Error::new(ErrorKind::InvalidInput, error)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            println!("{:?}", blake3::platform::Platform::detect());
            Ok(())
        }
        [library, operation] => {
            let (key, nonce) = (vec![0; KEY_BYTES], vec![0; NONCE_BYTES]);
            let found = cipher(library, operation, key, nonce, vec![]).map_err(invalid)?;
            println!("{}", found.version);
            Ok(())
        }
        [requests, answers, length, rest @ ..] => {
            let length: usize = length.parse().map_err(invalid)?;
            let mut requests = File::open(requests)?;
            let answers = File::options().write(true).open(answers)?;
            match rest {
                [] => {
                    let message = bytes(&mut requests, length)?;
                    serve(
                        requests,
                        answers,
                        Hashing {
                            message,
                            digest: None,
                        },
                    )
                }
                [library, operation] => {
                    let key = bytes(&mut requests, KEY_BYTES)?;
                    let nonce = bytes(&mut requests, NONCE_BYTES)?;
                    let message = bytes(&mut requests, length)?;
                    let cipher =
                        cipher(library, operation, key, nonce, message).map_err(invalid)?;
                    let out = vec![0; cipher.output_bytes];
                    serve(requests, answers, Encrypting { cipher, out })
                }
                _ => Err(invalid(
                    "expected REQUESTS ANSWERS LENGTH [LIBRARY OPERATION]",
                )),
            }
        }
        _ => Err(invalid(
            "expected REQUESTS ANSWERS LENGTH [LIBRARY OPERATION]",
        )),
    }
}

fn bytes(from: &mut File, length: usize) -> Result<Vec<u8>> {
    let mut result = vec![0; length];
    from.read_exact(&mut result)?;
    Ok(result)
}

trait Job {
    fn run(&mut self);
    /// The digest of the last output; computing it is not timed.
    fn digest(&self) -> Option<blake3::Hash>;
}

struct Hashing {
    message: Vec<u8>,
    digest: Option<blake3::Hash>,
}

impl Job for Hashing {
    fn run(&mut self) {
        self.digest = Some(black_box(blake3::hash(black_box(&self.message))));
    }
    fn digest(&self) -> Option<blake3::Hash> {
        self.digest
    }
}

struct Encrypting {
    cipher: Cipher,
    out: Vec<u8>,
}

impl Job for Encrypting {
    fn run(&mut self) {
        (self.cipher.run)(black_box(&mut self.out));
    }
    fn digest(&self) -> Option<blake3::Hash> {
        Some(blake3::hash(&self.out))
    }
}

fn serve(mut requests: File, mut answers: File, mut job: impl Job) -> Result<()> {
    let mut count = [0; 4];
    // The program ends with its requests.
    while requests.read_exact(&mut count).is_ok() {
        let count = u32::from_le_bytes(count);
        // The first run is not timed unless it is the only one: it pays for the caches that another process filled,
        // as in sampler.ts.
        if count > 1 {
            job.run();
        }
        let start = Instant::now();
        for _ in 0..count {
            job.run();
        }
        let nanoseconds = start.elapsed().as_nanos() as f64;
        let mut answer = [0; 40];
        answer[..8].copy_from_slice(&nanoseconds.to_le_bytes());
        if let Some(digest) = job.digest() {
            answer[8..].copy_from_slice(digest.as_bytes());
        }
        answers.write_all(&answer)?;
    }
    Ok(())
}
