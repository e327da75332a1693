//! Ciphers of C libraries that the machine has. They are loaded at run time, so that building needs no library.
use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void, CStr, CString};
use std::ptr::{null, null_mut};

extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}
const RTLD_NOW: c_int = 2;

/// File names of a library, the newest interface first.
const LIBSODIUM: &[&str] = &[
    "libsodium.so.26",
    "libsodium.so.23",
    "libsodium.so",
    "libsodium.dylib",
];
const LIBGCRYPT: &[&str] = &["libgcrypt.so.20", "libgcrypt.so", "libgcrypt.dylib"];

pub const KEY_BYTES: usize = 32;
pub const NONCE_BYTES: usize = 12;
const TAG_BYTES: usize = 16;

/// One operation on one message: fills the output buffer that it was created with.
pub type Operation = Box<dyn FnMut(&mut [u8])>;

pub struct Cipher {
    pub version: String,
    pub output_bytes: usize,
    pub run: Operation,
}

struct Library(*mut c_void);

impl Library {
    fn open(files: &[&str]) -> Result<Library, String> {
        for file in files {
            let name = CString::new(*file).map_err(|error| error.to_string())?;
            // SAFETY: the name ends in a zero; initialisers of the library are trusted.
            let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
            if !library.is_null() {
                return Ok(Library(library));
            }
        }
        Err(format!("there is no {}", files[0]))
    }

    /// The caller gives the type of the function, by the library's header.
    unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, String> {
        let text = CString::new(name).map_err(|error| error.to_string())?;
        let address = dlsym(self.0, text.as_ptr());
        if address.is_null() {
            return Err(format!("there is no {name} in it"));
        }
        Ok(std::mem::transmute_copy(&address))
    }
}

unsafe fn text(version: *const c_char) -> String {
    CStr::from_ptr(version).to_string_lossy().into_owned()
}

/// `operation` is `chacha20` or `chacha20poly1305`, of RFC 8439, without additional data; or for libgcrypt also `serpent-ctr`,
/// whose first counter block is the nonce and four zeros.
pub fn cipher(
    library: &str,
    operation: &str,
    key: Vec<u8>,
    nonce: Vec<u8>,
    message: Vec<u8>,
) -> Result<Cipher, String> {
    assert!(key.len() == KEY_BYTES && nonce.len() == NONCE_BYTES);
    // SAFETY: the types are those of the headers, and the buffers have the lengths that the functions write.
    match (library, operation) {
        ("libsodium", "chacha20") => unsafe { libsodium(false, key, nonce, message) },
        ("libsodium", "chacha20poly1305") => unsafe { libsodium(true, key, nonce, message) },
        ("libgcrypt", "chacha20") => unsafe { libgcrypt(Gcrypt::ChaCha20, key, nonce, message) },
        ("libgcrypt", "chacha20poly1305") => unsafe {
            libgcrypt(Gcrypt::ChaCha20Poly1305, key, nonce, message)
        },
        ("libgcrypt", "serpent-ctr") => unsafe {
            libgcrypt(Gcrypt::SerpentCtr, key, nonce, message)
        },
        _ => Err(format!("{library} has no operation {operation} here")),
    }
}

unsafe fn libsodium(
    aead: bool,
    key: Vec<u8>,
    nonce: Vec<u8>,
    message: Vec<u8>,
) -> Result<Cipher, String> {
    type Init = unsafe extern "C" fn() -> c_int;
    type Version = unsafe extern "C" fn() -> *const c_char;
    type Xor = unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;
    type Seal = unsafe extern "C" fn(
        *mut u8,
        *mut c_ulonglong,
        *const u8,
        c_ulonglong,
        *const u8,
        c_ulonglong,
        *const u8,
        *const u8,
        *const u8,
    ) -> c_int;

    let library = Library::open(LIBSODIUM)?;
    if library.function::<Init>("sodium_init")?() < 0 {
        return Err("sodium_init failed".to_string());
    }
    let version = text(library.function::<Version>("sodium_version_string")?());
    let length = message.len() as c_ulonglong;
    let run: Operation = if aead {
        let seal = library.function::<Seal>("crypto_aead_chacha20poly1305_ietf_encrypt")?;
        Box::new(move |out| {
            let mut written = 0;
            let (m, n, k) = (message.as_ptr(), nonce.as_ptr(), key.as_ptr());
            seal(
                out.as_mut_ptr(),
                &mut written,
                m,
                length,
                null(),
                0,
                null(),
                n,
                k,
            );
        })
    } else {
        let xor = library.function::<Xor>("crypto_stream_chacha20_ietf_xor")?;
        Box::new(move |out| {
            xor(
                out.as_mut_ptr(),
                message.as_ptr(),
                length,
                nonce.as_ptr(),
                key.as_ptr(),
            );
        })
    };
    Ok(Cipher {
        version: format!("libsodium {version}"),
        output_bytes: length as usize + if aead { TAG_BYTES } else { 0 },
        run,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Gcrypt {
    ChaCha20,
    ChaCha20Poly1305,
    SerpentCtr,
}

unsafe fn libgcrypt(
    operation: Gcrypt,
    key: Vec<u8>,
    mut nonce: Vec<u8>,
    message: Vec<u8>,
) -> Result<Cipher, String> {
    type Handle = *mut c_void;
    type Check = unsafe extern "C" fn(*const c_char) -> *const c_char;
    type Control = unsafe extern "C" fn(c_int, ...) -> c_uint;
    type Open = unsafe extern "C" fn(*mut Handle, c_int, c_int, c_uint) -> c_uint;
    type Set = unsafe extern "C" fn(Handle, *const c_void, usize) -> c_uint;
    type Encrypt = unsafe extern "C" fn(Handle, *mut c_void, usize, *const c_void, usize) -> c_uint;
    type Tag = unsafe extern "C" fn(Handle, *mut c_void, usize) -> c_uint;
    // gcrypt.h
    const DISABLE_SECMEM: c_int = 37;
    const INITIALIZATION_FINISHED: c_int = 38;
    const CHACHA20: c_int = 316;
    const SERPENT256: c_int = 306;
    const MODE_STREAM: c_int = 4;
    const MODE_CTR: c_int = 6;
    const MODE_POLY1305: c_int = 10;

    let library = Library::open(LIBGCRYPT)?;
    let version = text(library.function::<Check>("gcry_check_version")?(null()));
    let control = library.function::<Control>("gcry_control")?;
    control(DISABLE_SECMEM, 0 as c_int);
    control(INITIALIZATION_FINISHED, 0 as c_int);
    let set_key = library.function::<Set>("gcry_cipher_setkey")?;
    let counted = operation == Gcrypt::SerpentCtr;
    let set_nonce = library.function::<Set>(if counted {
        nonce.resize(16, 0);
        "gcry_cipher_setctr"
    } else {
        "gcry_cipher_setiv"
    })?;
    let encrypt = library.function::<Encrypt>("gcry_cipher_encrypt")?;
    let tag = library.function::<Tag>("gcry_cipher_gettag")?;
    let mut handle: Handle = null_mut();
    let aead = operation == Gcrypt::ChaCha20Poly1305;
    let (algorithm, mode) = match operation {
        Gcrypt::ChaCha20 => (CHACHA20, MODE_STREAM),
        Gcrypt::ChaCha20Poly1305 => (CHACHA20, MODE_POLY1305),
        Gcrypt::SerpentCtr => (SERPENT256, MODE_CTR),
    };
    let opened = library.function::<Open>("gcry_cipher_open")?(&mut handle, algorithm, mode, 0);
    if opened != 0 || set_key(handle, key.as_ptr().cast(), key.len()) != 0 {
        return Err(format!("gcry_cipher_open: error {opened}"));
    }
    let length = message.len();
    Ok(Cipher {
        version: format!("libgcrypt {version}"),
        output_bytes: length + if aead { TAG_BYTES } else { 0 },
        run: Box::new(move |out| {
            set_nonce(handle, nonce.as_ptr().cast(), nonce.len());
            let (text, rest) = out.split_at_mut(length);
            encrypt(
                handle,
                text.as_mut_ptr().cast(),
                length,
                message.as_ptr().cast(),
                length,
            );
            if aead {
                tag(handle, rest.as_mut_ptr().cast(), TAG_BYTES);
            }
        }),
    })
}
