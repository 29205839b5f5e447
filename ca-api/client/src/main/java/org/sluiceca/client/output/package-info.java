/** What a command prints: lines and tables for people, JSON for programs. */
@NullMarked
package org.sluiceca.client.output;

import org.jspecify.annotations.NullMarked;
