// Prints known answers of math/rand/v2's ChaCha8 as JSON: the calls of a generator in turn, and what each gave.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
)

type call struct {
	Call   string `json:"call"`
	Value  string `json:"value,omitempty"`
	Result string `json:"result"`
}

type test struct {
	Seed  string `json:"seed"`
	Calls []call `json:"calls"`
}

func main() {
	limits := []uint64{1, 2, 3, 6, 10, 64, 1000, 1 << 31, 1<<32 - 1, 1<<32 - 5, 3 << 30, 1 << 32, 1<<32 + 1, 1 << 53, 1<<53 - 1, 3 << 51, 1 << 63, 1<<63 + 1, 1<<64 - 1}
	var tests []test
	for s := range 4 {
		var seed [32]byte
		for i := range seed {
			seed[i] = byte(i * s * 7)
		}
		if s == 1 {
			copy(seed[:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456")
		}
		source := rand.NewChaCha8(seed)
		r := rand.New(source)
		var calls []call
		read := func(n int) {
			p := make([]byte, n)
			source.Read(p)
			calls = append(calls, call{"bytes", strconv.Itoa(n), hex.EncodeToString(p)})
		}
		// The order of calls is drawn by another generator, so that every call stands behind every other.
		order := rand.New(rand.NewPCG(uint64(s), 2))
		for range 400 {
			switch order.IntN(6) {
			case 0:
				calls = append(calls, call{"uint64", "", strconv.FormatUint(r.Uint64(), 10)})
			case 1:
				calls = append(calls, call{"uint32", "", strconv.FormatUint(uint64(r.Uint32()), 10)})
			case 2:
				calls = append(calls, call{"float", "", strconv.FormatFloat(r.Float64(), 'g', -1, 64)})
			case 3:
				n := limits[order.IntN(len(limits))]
				calls = append(calls, call{"below", strconv.FormatUint(n, 10), strconv.FormatUint(r.Uint64N(n), 10)})
			case 4:
				read(order.IntN(40))
			case 5:
				n := order.IntN(12)
				list := make([]int, n)
				for i := range list {
					list[i] = i
				}
				r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
				calls = append(calls, call{"shuffle", strconv.Itoa(n), fmt.Sprint(list)})
			}
		}
		tests = append(tests, test{hex.EncodeToString(seed[:]), calls})
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{
		"source": "Go's math/rand/v2 (" + runtime.Version() + "): rand.New(rand.NewChaCha8(seed)), its calls in turn",
		"made":   "go run ./vectors/chacha8rand > vectors/chacha8rand.json",
		"tests":  tests,
	})
}
