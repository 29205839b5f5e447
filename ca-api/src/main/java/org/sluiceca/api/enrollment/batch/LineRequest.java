package org.sluiceca.api.enrollment.batch;

import org.jspecify.annotations.Nullable;

/**
 * One line of a batch.
 *
 * @param id the caller's own, given back with the result; 1 to 128 characters
 * @param profile the profile's name
 * @param csr the certification request, PEM or base64 of its DER
 * @param idempotencyKey as the header of a single request: a batch that broke off is sent again
 *     with the same keys
 */
record LineRequest(
    @Nullable String id,
    @Nullable String profile,
    @Nullable String csr,
    @Nullable String idempotencyKey) {}
