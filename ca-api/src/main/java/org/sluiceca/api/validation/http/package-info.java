/** The challenge http-01: a bounded GET to addresses that the policy allows, and its redirects. */
@NullMarked
package org.sluiceca.api.validation.http;

import org.jspecify.annotations.NullMarked;
