//! What bao-tree makes of files, for a test: `judge outboard|encode|decode …`, from standard input to standard output. Ranges are in chunks.
use bao_tree::io::outboard::{EmptyOutboard, PreOrderMemOutboard};
use bao_tree::io::sync::{decode_ranges, encode_ranges_validated};
use bao_tree::{BaoTree, BlockSize, ChunkNum, ChunkRanges};
use std::io::{Cursor, Read, Write};

/// FROM and TO in chunks; TO is `end` for all from there on.
fn ranges_of(from: &str, to: &str) -> ChunkRanges {
    let from = ChunkNum(from.parse().unwrap());
    match to.parse() {
        Ok(to) => ChunkRanges::from(from..ChunkNum(to)),
        Err(_) => ChunkRanges::from(from..),
    }
}

/// The 8 bytes of the length in front are Bao's; bao-tree leaves them to others.
fn run(args: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let block = |log: &str| BlockSize::from_chunk_log(log.parse().unwrap());
    match args {
        ["outboard", log] => Ok(PreOrderMemOutboard::create(input, block(log)).into_inner_with_prefix()),
        ["encode", log, from, to] => {
            let outboard = PreOrderMemOutboard::create(input, block(log));
            let mut out = (input.len() as u64).to_le_bytes().to_vec();
            encode_ranges_validated(input, &outboard, &ranges_of(from, to), &mut out).unwrap();
            Ok(out)
        }
        ["decode", log, root, from, to] => {
            let (length, rest) = input.split_at(8);
            let size = u64::from_le_bytes(length.try_into().unwrap());
            let outboard = EmptyOutboard {
                tree: BaoTree::new(size, block(log)),
                root: root.parse().unwrap(),
            };
            // As long as the content, with zeros for all that the ranges leave out.
            let mut content = vec![0; size as usize];
            let mut encoded = Cursor::new(rest);
            decode_ranges(&mut encoded, &ranges_of(from, to), &mut content, outboard).map_err(|e| e.to_string())?;
            if (encoded.position() as usize) < rest.len() {
                return Err("there is more".into());
            }
            Ok(content)
        }
        _ => panic!("{args:?}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    match run(&args, &input) {
        Ok(out) => std::io::stdout().write_all(&out).unwrap(),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
