package org.sluiceca.api.acme;

import org.sluiceca.api.acme.account.service.AcmeAccounts;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.order.AcmeAuthorizations;
import org.sluiceca.api.acme.order.AcmeFinalization;
import org.sluiceca.api.acme.order.AcmeOrders;
import org.sluiceca.api.acme.revocation.AcmeRevocations;
import org.sluiceca.api.acme.signed.SignedRequests;

/** What the routes of ACME are made of. */
public record AcmeParts(
    AcmeUrls urls,
    AcmeEndpoints endpoints,
    SignedRequests requests,
    AcmeAccounts accounts,
    AcmeOrders orders,
    AcmeFinalization finalization,
    AcmeAuthorizations authorizations,
    AcmeRevocations revocations) {}
