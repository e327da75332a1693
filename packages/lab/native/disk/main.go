// Disk encryption in native code, timed in turns with another process: the module lukechampine.com/adiantum, which has
// assembly for NH and XChaCha, with Go's AES and Poly1305; and AES-256-XTS of golang.org/x/crypto, which handles one block
// at a time by Go's AES.
//
// With `LIBRARY OPERATION`, the program prints the version. With `REQUESTS ANSWERS LENGTH LIBRARY OPERATION` it follows the
// protocol of ../src/main.rs. The tweak of a page is its number; only AES-256-XTS has a nonce, whose first byte is the number
// of the first page. Pages are encrypted in place: the message first, then its own ciphertext again and again. A message that
// is shorter than a page is one page.
package main

import (
	"crypto/aes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"

	"golang.org/x/crypto/xts"
	"lukechampine.com/adiantum"
	"lukechampine.com/adiantum/hbsh"
	"lukechampine.com/adiantum/hpolyc"
	"lukechampine.com/blake3"
)

// Encrypts a page in place.
type encrypt func(page []byte, number int)

type operation struct {
	version    string
	create     func(key, nonce []byte) encrypt
	keyBytes   int
	nonceBytes int
	pageBytes  int
}

func wide(create func([]byte) *hbsh.HBSH, pageBytes int) operation {
	return operation{"adiantum 1.1.1", func(key, _ []byte) encrypt {
		cipher, tweak := create(key), make([]byte, 8)
		return func(page []byte, number int) {
			binary.LittleEndian.PutUint64(tweak, uint64(number))
			cipher.Encrypt(page, tweak)
		}
	}, 32, 0, pageBytes}
}

func aesXts(pageBytes int) operation {
	return operation{"golang.org/x/crypto 0.23.0", func(key, nonce []byte) encrypt {
		cipher, first := must(xts.NewCipher(aes.NewCipher, key)), int(nonce[0])
		return func(page []byte, number int) {
			cipher.Encrypt(page, page, uint64(first+number))
		}
	}, 64, 8, pageBytes}
}

var operations = map[string]operation{
	"adiantum-sectors": wide(adiantum.New, 512),
	"adiantum-pages":   wide(adiantum.New, 4096),
	"hpolyc-sectors":   wide(hpolyc.New, 512),
	"hpolyc-pages":     wide(hpolyc.New, 4096),
	"aes-xts-sectors":  aesXts(512),
	"aes-xts-pages":    aesXts(4096),
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	values := os.Args[1:]
	chosen, known := operations[values[len(values)-1]]
	if !known {
		fmt.Fprintln(os.Stderr, "no such operation")
		os.Exit(1)
	}
	if len(values) == 2 {
		fmt.Println(chosen.version)
		return
	}
	requests := must(os.Open(values[0]))
	answers := must(os.OpenFile(values[1], os.O_WRONLY, 0))
	key, nonce := make([]byte, chosen.keyBytes), make([]byte, chosen.nonceBytes)
	message := make([]byte, must(strconv.Atoi(values[2])))
	for _, input := range [][]byte{key, nonce, message} {
		must(io.ReadFull(requests, input))
	}
	serve(requests, answers, chosen.create(key, nonce), message, min(chosen.pageBytes, len(message)))
}

func serve(requests io.Reader, answers io.Writer, page encrypt, message []byte, pageBytes int) {
	pages := make([]byte, len(message))
	run := func() {
		for at := 0; at < len(pages); at += pageBytes {
			page(pages[at:at+pageBytes], at/pageBytes)
		}
	}
	request, answer := make([]byte, 4), make([]byte, 40)
	for {
		// The program ends with its requests.
		if _, err := io.ReadFull(requests, request); err != nil {
			return
		}
		count := binary.LittleEndian.Uint32(request)
		copy(pages, message)
		// The first run is not timed unless it is the only one: it pays for the caches that another process filled, as in
		// ../src/main.rs.
		if count > 1 {
			run()
		}
		start := time.Now()
		for range count {
			run()
		}
		elapsed := time.Since(start)
		binary.LittleEndian.PutUint64(answer, math.Float64bits(float64(elapsed.Nanoseconds())))
		digest := blake3.Sum256(pages)
		copy(answer[8:], digest[:])
		must(answers.Write(answer))
	}
}
