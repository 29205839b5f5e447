package org.sluiceca.load.bench.acme;

import java.util.Locale;

/** A signed request on the way to a certificate, in their order. */
enum Step {
  NEW_ORDER,
  AUTHORIZATION,
  CHALLENGE,
  AUTHORIZATION_POLL,
  FINALIZE,
  POLL,
  DOWNLOAD;

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
