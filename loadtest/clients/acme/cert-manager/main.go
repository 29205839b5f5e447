// Command cert-manager lives the whole life of an account by the library in cert-manager.
package main

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/cert-manager/cert-manager/third_party/forked/acme"
	"org.sluiceca/loadtest/clients/acme/life"
)

func main() {
	arguments := life.Read()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	hmacKey, err := base64.RawURLEncoding.DecodeString(arguments.HMACKey)
	life.Must("binding", err)
	client := &acme.Client{Key: life.Key(), DirectoryURL: arguments.Directory}
	_, err = client.Register(ctx, &acme.Account{
		Contact:                []string{"mailto:ops@corp.example"},
		ExternalAccountBinding: &acme.ExternalAccountBinding{KID: arguments.KeyID, Key: hmacKey},
	}, acme.AcceptTOS)
	life.Must("account", err)
	life.Done("account")

	firstKey := life.Key()
	first := issue(ctx, client, firstKey, arguments.Name)
	arguments.Keep("first.pem", first.Raw)
	life.Done("issued")

	info, err := client.GetRenewalInfo(ctx, first)
	life.Must("renewal information", err)
	if !info.SuggestedWindow.Start.After(time.Now()) {
		life.Must("renewal information", errors.New("the window has begun"))
	}
	life.Done("renewal information")

	replaces, err := acme.WithOrderReplacesCertificate(first)
	life.Must("renewed", err)
	second := issue(ctx, client, life.Key(), arguments.Name, replaces)
	arguments.Keep("second.pem", second.Raw)
	life.Done("renewed")

	_, err = client.UpdateReg(ctx, &acme.Account{Contact: []string{"mailto:web@corp.example"}})
	life.Must("contact", err)
	life.Done("contact")

	life.Must("key change", client.AccountKeyRollover(ctx, life.Key()))
	third := issue(ctx, client, life.Key(), arguments.Name)
	life.Done("key change")

	life.Must("revoked by its key",
		client.RevokeCert(ctx, firstKey, first.Raw, acme.CRLReasonKeyCompromise))
	life.Done("revoked by its key")
	life.Must("revoked", client.RevokeCert(ctx, nil, third.Raw, acme.CRLReasonSuperseded))
	// The library takes alreadyRevoked for success.
	life.Must("revoked again", client.RevokeCert(ctx, nil, third.Raw, acme.CRLReasonSuperseded))
	life.Done("revoked again")

	info, err = client.GetRenewalInfo(ctx, third)
	life.Must("renewal information", err)
	if info.SuggestedWindow.Start.After(time.Now().Add(10 * time.Minute)) {
		life.Must("renewal information", errors.New("a revoked certificate is not due soon"))
	}
	life.Done("due within minutes")

	life.Must("deactivated", client.DeactivateReg(ctx))
	_, err = client.AuthorizeOrder(ctx, acme.DomainIDs(arguments.Name))
	life.Refused("deactivated", err)
}

func issue(ctx context.Context, client *acme.Client, key crypto.Signer, name string,
	options ...acme.OrderOption) *x509.Certificate {
	order, err := client.AuthorizeOrder(ctx, acme.DomainIDs(name), options...)
	life.Must("order", err)
	if order.Status != acme.StatusReady {
		life.Must("order", fmt.Errorf("is %s", order.Status))
	}
	chain, _, err := client.CreateOrderCert(
		ctx, order.FinalizeURL, life.Request(key, name).Raw, true)
	life.Must("issue", err)
	certificate, err := x509.ParseCertificate(chain[0])
	life.Must("certificate", err)
	return certificate
}
