/**
 * What a ceremony carries from one machine to the next: requests, certificates, secrets, as files.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.files;

import org.jspecify.annotations.NullMarked;
