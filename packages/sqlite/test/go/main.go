// Command main writes or reads a database as go-sqlite3 encrypts it, by its VFS adiantum.
package main

import (
	"fmt"
	"os"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"
	_ "github.com/ncruces/go-sqlite3/vfs/adiantum"
)

func main() {
	verb, path, key := os.Args[1], os.Args[2], os.Args[3]
	db, err := sqlite3.Open("file:" + path + "?vfs=adiantum&hexkey=" + key)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if verb == "write" {
		if err := db.Exec(`CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
			INSERT INTO users VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Margaret')`); err != nil {
			panic(err)
		}
		return
	}
	stmt, _, err := db.Prepare(os.Args[4])
	if err != nil {
		panic(err)
	}
	defer stmt.Close()
	for stmt.Step() {
		fmt.Println(stmt.ColumnText(0))
	}
	if err := stmt.Err(); err != nil {
		panic(err)
	}
}
