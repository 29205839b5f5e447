/**
 * Commands that only look: the capacity of nodes, once or again and again, and what expires soon.
 */
@NullMarked
package org.sluiceca.client.observe;

import org.jspecify.annotations.NullMarked;
