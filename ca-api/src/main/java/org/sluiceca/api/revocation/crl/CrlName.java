package org.sluiceca.api.revocation.crl;

import java.nio.file.Path;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.revoke.CrlScope;

/** One of the CRLs of a scope, of which relying parties fetch the newest: complete or delta. */
record CrlName(CrlScope scope, boolean isDelta) {

  static final String SUFFIX = ".crl";

  static CrlName complete(CrlScope scope) {
    return new CrlName(scope, false);
  }

  static CrlName delta(CrlScope scope) {
    return new CrlName(scope, true);
  }

  static CrlName of(PlannedCrl crl) {
    return new CrlName(crl.scope(), crl.base().isPresent());
  }

  /** Returns the file of its URI below a folder that stands for {@code /crl}. */
  Path file(Path directory) {
    if (scope.shard() == 0 && !isDelta) {
      return directory.resolve(scope.issuer() + SUFFIX);
    }
    // Deltas are below the issuer, because "a-delta" may be an issuer's own name.
    String name =
        scope.shard() == 0 ? "delta" : isDelta ? scope.shard() + "-delta" : "" + scope.shard();
    return directory.resolve(scope.issuer().value()).resolve(name + SUFFIX);
  }

  @Override
  public String toString() {
    return isDelta ? "delta of " + scope : scope.toString();
  }
}
