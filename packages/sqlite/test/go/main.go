// Command main runs statements on a database as go-sqlite3 encrypts it, by its VFS adiantum, and prints the first column of each row.
//
//	main run FILE HEXKEY SQL      closes the database
//	main leave FILE HEXKEY SQL    ends without that, so a write-ahead log stays
package main

import (
	"fmt"
	"os"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"
	_ "github.com/ncruces/go-sqlite3/vfs/adiantum"
)

func main() {
	verb, path, key, sql := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	db, err := sqlite3.Open("file:" + path + "?vfs=adiantum&hexkey=" + key)
	if err != nil {
		panic(err)
	}
	for sql != "" {
		sql = step(db, sql)
	}
	if verb == "leave" {
		os.Exit(0)
	}
	if err := db.Close(); err != nil {
		panic(err)
	}
}

// step runs the first statement, and returns the others.
func step(db *sqlite3.Conn, sql string) string {
	stmt, rest, err := db.Prepare(sql)
	if err != nil {
		panic(err)
	}
	defer stmt.Close()
	for stmt != nil && stmt.Step() {
		fmt.Println(stmt.ColumnText(0))
	}
	if err := stmt.Err(); err != nil {
		panic(err)
	}
	return rest
}
