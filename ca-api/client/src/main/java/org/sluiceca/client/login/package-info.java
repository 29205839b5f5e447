/** Commands that keep connections: login, connections, logout. */
@NullMarked
package org.sluiceca.client.login;

import org.jspecify.annotations.NullMarked;
