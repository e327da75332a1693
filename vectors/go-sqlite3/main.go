// Runs SQL on a database that go-sqlite3's Adiantum VFS encrypts: FILE HEXKEY SQL... Prints each row, columns apart by tabs.
package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"
	_ "github.com/ncruces/go-sqlite3/vfs/adiantum"
)

func run(file, key string, statements []string) error {
	location := url.URL{Scheme: "file", Opaque: url.PathEscape(file), RawQuery: "vfs=adiantum&hexkey=" + key}
	db, err := sqlite3.Open(location.String())
	if err != nil {
		return err
	}
	defer db.Close()
	for _, sql := range statements {
		statement, _, err := db.Prepare(sql)
		if err != nil {
			return err
		}
		for statement.Step() {
			columns := make([]string, statement.ColumnCount())
			for i := range columns {
				columns[i] = statement.ColumnText(i)
			}
			fmt.Println(strings.Join(columns, "\t"))
		}
		if err := statement.Close(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
