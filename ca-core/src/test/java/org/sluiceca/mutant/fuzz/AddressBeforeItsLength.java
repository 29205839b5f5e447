package org.sluiceca.mutant.fuzz;

import java.util.Arrays;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;

/**
 * A reader that believes the lengths in a subjectAltName, and takes an iPAddress for four octets,
 * without asking: what {@code CsrFuzz} would meet if the checks were missing. The fuzzer must find
 * it (it took 126 inputs to meet a length that is negative as a byte); its find is replayed in each
 * build.
 */
public final class AddressBeforeItsLength {

  private AddressBeforeItsLength() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      for (Extension extension : CsrReader.read(CsrDer.of(data)).extensions()) {
        byte[] names = extension.value();
        if (extension.oid().equals("2.5.29.17")) {
          for (int at = 2; at < names.length; at += 2 + names[at + 1]) {
            if (names[at] == (byte) 0x87) {
              int last = Arrays.copyOfRange(names, at + 2, at + 2 + names[at + 1])[3];
              assert last < 256;
            }
          }
        }
      }
    } catch (DerException e) {
      return;
    }
  }
}
