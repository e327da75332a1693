//! The official implementation of BLAKE3, timed in turns with another process.
//!
//! Without arguments: prints which vectors it uses. With `REQUESTS ANSWERS LENGTH`, two named pipes and a number of
//! bytes: reads a message of that length, then counts of 32 bits. For each it hashes the message so many times, and
//! writes the nanoseconds that took, as 64-bit float, and the digest. All numbers are little-endian.
use std::fs::File;
use std::hint::black_box;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::time::Instant;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            println!("{:?}", blake3::platform::Platform::detect());
            Ok(())
        }
        [requests, answers, length] => {
            let length = length
                .parse()
                .map_err(|error| Error::new(ErrorKind::InvalidInput, error))?;
            serve(
                File::open(requests)?,
                File::options().write(true).open(answers)?,
                length,
            )
        }
        _ => Err(Error::new(
            ErrorKind::InvalidInput,
            "expected REQUESTS ANSWERS LENGTH",
        )),
    }
}

fn serve(mut requests: File, mut answers: File, length: usize) -> Result<()> {
    let mut message = vec![0; length];
    requests.read_exact(&mut message)?;
    let mut count = [0; 4];
    // The end of the requests is the end.
    while requests.read_exact(&mut count).is_ok() {
        let count = u32::from_le_bytes(count);
        // What another process left in the caches costs only this one, if it can be afforded: as in sampler.ts.
        if count > 1 {
            black_box(blake3::hash(black_box(&message)));
        }
        let mut digest = None;
        let start = Instant::now();
        for _ in 0..count {
            digest = Some(black_box(blake3::hash(black_box(&message))));
        }
        let nanoseconds = start.elapsed().as_nanos() as f64;
        let mut answer = [0; 40];
        answer[..8].copy_from_slice(&nanoseconds.to_le_bytes());
        if let Some(digest) = digest {
            answer[8..].copy_from_slice(digest.as_bytes());
        }
        answers.write_all(&answer)?;
    }
    Ok(())
}
