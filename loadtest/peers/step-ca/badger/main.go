// Badger counts the certificates in a Badger store of step-ca, which must not run meanwhile, with the library that
// step-ca uses: "badger FOLDER FILE" prints the number, and writes one certificate (DER) to FILE.
package main

import (
	"crypto/x509"
	"fmt"
	"os"

	"github.com/smallstep/nosql"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: badger FOLDER FILE")
		os.Exit(2)
	}
	if err := count(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "badger:", err)
		os.Exit(1)
	}
}

func count(folder, file string) error {
	// Opening what is not there would make it.
	if _, err := os.Stat(folder); err != nil {
		return err
	}
	store, err := nosql.New("badgerv2", folder)
	if err != nil {
		return err
	}
	defer store.Close()
	entries, err := store.List([]byte("x509_certs"))
	if err != nil {
		return err
	}
	certificates := 0
	for _, entry := range entries {
		// The table itself is an entry, too: without a value.
		if len(entry.Value) == 0 {
			continue
		}
		certificate, err := x509.ParseCertificate(entry.Value)
		if err != nil {
			return fmt.Errorf("%s is no certificate: %w", entry.Key, err)
		}
		if certificates++; certificates == 1 {
			if err := os.WriteFile(file, certificate.Raw, 0o600); err != nil {
				return err
			}
		}
	}
	fmt.Println(certificates)
	return nil
}
