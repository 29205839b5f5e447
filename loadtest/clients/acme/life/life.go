// Package life has what both programs do alike: their arguments, keys, files and words.
package life

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
)

// Arguments of both programs. The root that the server is trusted by is in SSL_CERT_FILE, as Go has it.
type Arguments struct {
	Directory, KeyID, HMACKey, Folder, Name string
}

// Read ends the program with 2 unless it has its five arguments.
func Read() Arguments {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: DIRECTORY KID HMACKEY FOLDER NAME")
		os.Exit(2)
	}
	return Arguments{os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]}
}

// Done says that a step was done. The test compares all steps with those that it expects.
func Done(step string) { fmt.Println(step) }

// Must ends the program with 1 and the step that failed.
func Must(step string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", step, err)
		os.Exit(1)
	}
}

// Refused ends the program with 1 if a step that the server must refuse was done.
func Refused(step string, err error) {
	if err == nil {
		fmt.Fprintf(os.Stderr, "%s: was not refused\n", step)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%s: refused, as it must be: %v\n", step, err)
	Done(step)
}

// Key returns a new EC key.
func Key() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	Must("key", err)
	return key
}

// Request returns a certification request of one name.
func Request(key crypto.Signer, name string) *x509.CertificateRequest {
	der, err := x509.CreateCertificateRequest(
		rand.Reader, &x509.CertificateRequest{DNSNames: []string{name}}, key)
	Must("request", err)
	request, err := x509.ParseCertificateRequest(der)
	Must("request", err)
	return request
}

// Keep writes a certificate into the folder as PEM.
func (a Arguments) Keep(file string, der []byte) {
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	Must(file, os.WriteFile(filepath.Join(a.Folder, file), block, 0o600))
}
