/**
 * What a request is called in logs and in the audit trail: names from closed sets, never what a
 * client sent. Entry: {@link org.sluiceca.api.http.access.RouteNames}. Knows HTTP and the table of
 * routes, nothing of certificates.
 */
@NullMarked
package org.sluiceca.api.http.access;

import org.jspecify.annotations.NullMarked;
