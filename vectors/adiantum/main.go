// Encrypts pages by the Go module lukechampine.com/adiantum. Reads one line each of CIPHER KEY TWEAK - PAGE in hexadecimal, - for
// nothing; CIPHER is adiantum or hpolyc and its rounds: adiantum12. Prints the ciphertexts.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"lukechampine.com/adiantum"
	"lukechampine.com/adiantum/hbsh"
	"lukechampine.com/adiantum/hpolyc"
)

var makers = map[string]func([]byte) *hbsh.HBSH{
	"adiantum8": adiantum.New8, "adiantum12": adiantum.New, "adiantum20": adiantum.New20,
	"hpolyc8": hpolyc.New8, "hpolyc12": hpolyc.New, "hpolyc20": hpolyc.New20,
}

func bytesOf(text string) []byte {
	if text == "-" {
		return nil
	}
	bytes, err := hex.DecodeString(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return bytes
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return
		}
		values := strings.Fields(line)
		if err != nil || len(values) != 5 || makers[values[0]] == nil {
			fmt.Fprintln(os.Stderr, "expected CIPHER KEY TWEAK - PAGE")
			os.Exit(1)
		}
		page := makers[values[0]](bytesOf(values[1])).Encrypt(bytesOf(values[4]), bytesOf(values[2]))
		fmt.Fprintf(out, "%x\n", page)
	}
}
