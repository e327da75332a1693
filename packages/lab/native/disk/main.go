// Disk encryption in native code, timed in turns with another process: the module lukechampine.com/adiantum, which has
// assembly for NH and XChaCha, with Go's AES and Poly1305.
//
// With `LIBRARY OPERATION`, the program prints the version. With `REQUESTS ANSWERS LENGTH LIBRARY OPERATION` it follows the
// protocol of ../src/main.rs, but without a nonce: the tweak of a page is its number in eight bytes. Pages are encrypted in
// place: the message first, then its own ciphertext again and again. A message that is shorter than a page is one page.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"

	"lukechampine.com/adiantum"
	"lukechampine.com/adiantum/hbsh"
	"lukechampine.com/adiantum/hpolyc"
	"lukechampine.com/blake3"
)

const version = "adiantum 1.1.1"

type operation struct {
	create    func([]byte) *hbsh.HBSH
	pageBytes int
}

var operations = map[string]operation{
	"adiantum-sectors": {adiantum.New, 512},
	"adiantum-pages":   {adiantum.New, 4096},
	"hpolyc-pages":     {hpolyc.New, 4096},
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
		fmt.Println(version)
		return
	}
	requests := must(os.Open(values[0]))
	answers := must(os.OpenFile(values[1], os.O_WRONLY, 0))
	key, message := make([]byte, 32), make([]byte, must(strconv.Atoi(values[2])))
	must(io.ReadFull(requests, key))
	must(io.ReadFull(requests, message))
	serve(requests, answers, chosen.create(key), message, min(chosen.pageBytes, len(message)))
}

func serve(requests io.Reader, answers io.Writer, cipher *hbsh.HBSH, message []byte, pageBytes int) {
	pages := make([]byte, len(message))
	tweak := make([]byte, 8)
	run := func() {
		for at := 0; at < len(pages); at += pageBytes {
			binary.LittleEndian.PutUint64(tweak, uint64(at/pageBytes))
			cipher.Encrypt(pages[at:at+pageBytes], tweak)
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
