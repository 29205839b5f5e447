// Command acmez lives the whole life of an account by the library that Caddy uses.
package main

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
	"org.sluiceca/loadtest/clients/acme/life"
)

func main() {
	arguments := life.Read()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	// The steps are told on standard output; what the library says of them, on standard error.
	client := &acmez.Client{Client: &acme.Client{
		Directory: arguments.Directory,
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}}
	account := acme.Account{TermsOfServiceAgreed: true, PrivateKey: life.Key()}
	life.Must("binding", account.SetExternalAccountBinding(
		ctx, client.Client, acme.EAB{KeyID: arguments.KeyID, MACKey: arguments.HMACKey}))
	account, err := client.NewAccount(ctx, account)
	life.Must("account", err)
	life.Done("account")

	firstKey := life.Key()
	first := issue(ctx, client, account, firstKey, arguments.Name, nil)
	arguments.Keep("first.pem", first.Raw)
	life.Done("issued")

	info, err := client.GetRenewalInfo(ctx, first)
	life.Must("renewal information", err)
	if !info.HasWindow() || info.SuggestedWindow.Start.Before(time.Now()) {
		life.Must("renewal information", errors.New("the window has begun"))
	}
	life.Done("renewal information")

	second := issue(ctx, client, account, life.Key(), arguments.Name, first)
	arguments.Keep("second.pem", second.Raw)
	life.Done("renewed")

	account.Contact = []string{"mailto:ops@corp.example"}
	account, err = client.UpdateAccount(ctx, account)
	life.Must("contact", err)
	life.Done("contact")

	account, err = client.AccountKeyRollover(ctx, account, life.Key())
	life.Must("key change", err)
	third := issue(ctx, client, account, life.Key(), arguments.Name, second)
	life.Done("key change")

	life.Must("revoked by its key", client.RevokeCertificate(
		ctx, account, first, firstKey, acme.ReasonKeyCompromise))
	life.Done("revoked by its key")
	life.Must("revoked", client.RevokeCertificate(ctx, account, third, nil, acme.ReasonSuperseded))
	life.Refused("revoked again",
		client.RevokeCertificate(ctx, account, third, nil, acme.ReasonSuperseded))

	info, err = client.GetRenewalInfo(ctx, third)
	life.Must("renewal information", err)
	if info.SuggestedWindow.Start.After(time.Now().Add(10 * time.Minute)) {
		life.Must("renewal information", errors.New("a revoked certificate is not due soon"))
	}
	life.Done("due within minutes")

	ended := account
	ended.Status = "deactivated"
	_, err = client.UpdateAccount(ctx, ended)
	life.Must("deactivated", err)
	_, err = client.NewOrder(ctx, account, acme.Order{
		Identifiers: []acme.Identifier{{Type: "dns", Value: arguments.Name}}})
	life.Refused("deactivated", err)
}

func issue(ctx context.Context, client *acmez.Client, account acme.Account, key crypto.Signer,
	name string, replaces *x509.Certificate) *x509.Certificate {
	parameters, err := acmez.OrderParametersFromCSR(account, life.Request(key, name))
	life.Must("order", err)
	parameters.Replaces = replaces
	chains, err := client.ObtainCertificate(ctx, parameters)
	life.Must("issue", err)
	block, _ := pem.Decode(chains[0].ChainPEM)
	certificate, err := x509.ParseCertificate(block.Bytes)
	life.Must("certificate", err)
	return certificate
}
