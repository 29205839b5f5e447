/** External account bindings over REST. */
@NullMarked
package org.sluiceca.api.acme.binding.rest;

import org.jspecify.annotations.NullMarked;
