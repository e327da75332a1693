module lanewise.example/sqlite

go 1.24

require github.com/ncruces/go-sqlite3 v0.27.1

require (
	github.com/ncruces/julianday v1.0.0 // indirect
	github.com/tetratelabs/wazero v1.9.0 // indirect
	golang.org/x/crypto v0.40.0 // indirect
	golang.org/x/sys v0.34.0 // indirect
	lukechampine.com/adiantum v1.1.1 // indirect
)
