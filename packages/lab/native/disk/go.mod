module lanewise/disk

go 1.23.0

require (
	golang.org/x/crypto v0.23.0
	lukechampine.com/adiantum v1.1.1
	lukechampine.com/blake3 v1.4.1
)

require (
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	golang.org/x/sys v0.20.0 // indirect
)
