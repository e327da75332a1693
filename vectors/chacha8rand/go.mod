module lanewise.invalid/chacha8rand

go 1.23
