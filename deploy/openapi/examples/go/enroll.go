// Enrolls a certificate, finds it again, and asks for one that does not exist, with the generated client.
//
// Run: enroll URL CA-FILE TOKEN-FILE CSR-FILE. docs/GENERATED-CLIENTS.md has how the client is generated.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	sluice "example.org/sluice/client"
)

// Longer than the ten seconds that the service waits for the HSM, unless a header Prefer has another wait.
const timeout = 30 * time.Second

// By name a certificate is found some hundred milliseconds after it was issued.
const foundWithin = 20 * time.Second

// Of the form of a serial number of this CA, and of no certificate.
var unknownSerial = strings.Repeat("01", 19)

func client(url, caFile string) (*sluice.APIClient, error) {
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("no certificate in %s", caFile)
	}
	configuration := sluice.NewConfiguration()
	configuration.Servers = sluice.ServerConfigurations{{URL: url}}
	configuration.HTTPClient = &http.Client{
		Timeout:   timeout,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
	}
	return sluice.NewAPIClient(configuration), nil
}

// enroll sends JSON: the client knows the first content type of a request alone.
func enroll(ctx context.Context, api *sluice.DefaultAPIService, csrFile string) (*sluice.Certificate, error) {
	csr, err := os.ReadFile(csrFile)
	if err != nil {
		return nil, err
	}
	issued, answer, err := api.Enroll(ctx).Enrollment(*sluice.NewEnrollment("tls-server", string(csr))).Execute()
	// The client reads the order that comes with 202 as a certificate, which is an error.
	if answer != nil && answer.StatusCode == http.StatusAccepted {
		return nil, fmt.Errorf("not issued yet: ask %s", answer.Header.Get("Location"))
	}
	return issued, err
}

// find returns the certificate, read and among those of the name.
func find(ctx context.Context, api *sluice.DefaultAPIService, serial, name string) (*sluice.Certificate, error) {
	read, _, err := api.GetCertificate(ctx, serial).Execute()
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(foundWithin); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		page, _, err := api.FindCertificates(ctx).San(name).Limit(20).Execute()
		if err != nil {
			return nil, err
		}
		for _, found := range page.Certificates {
			if found.Serial == serial {
				return read, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not among those of %s", serial, name)
}

func run(url, caFile, tokenFile, csrFile string) error {
	made, err := client(url, caFile)
	if err != nil {
		return err
	}
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		return err
	}
	ctx := context.WithValue(context.Background(), sluice.ContextAccessToken, strings.TrimSpace(string(token)))
	api := made.DefaultAPI

	issued, err := enroll(ctx, api, csrFile)
	if err != nil {
		return err
	}
	fmt.Println("issued", issued.Serial)

	read, err := find(ctx, api, issued.Serial, strings.TrimSuffix(filepath.Base(csrFile), ".csr"))
	if err != nil {
		return err
	}
	if read.Certificate != issued.Certificate {
		return fmt.Errorf("%s is another certificate", issued.Serial)
	}
	fmt.Println("found", read.Serial, read.GetStatus())

	_, _, err = api.GetCertificate(ctx, unknownSerial).Execute()
	var failure *sluice.GenericOpenAPIError
	if !errors.As(err, &failure) {
		return fmt.Errorf("a certificate that does not exist: %w", err)
	}
	problem, isProblem := failure.Model().(sluice.Problem)
	if !isProblem {
		return err
	}
	fmt.Println("problem", problem.Status, problem.Type)
	return nil
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: enroll URL CA-FILE TOKEN-FILE CSR-FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
