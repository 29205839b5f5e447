package org.sluiceca.client.key;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.sluiceca.client.output.Failure;

/** Reads and writes certificates, requests and keys in PEM (RFC 7468). */
public final class PemFiles {
  private static final int OCTETS_MAX = 4 << 20;

  private PemFiles() {}

  /** The certificates of a file, in its order; at least one. */
  public static List<X509Certificate> certificates(Path file) {
    return certificates(read(file), file.toString());
  }

  /** The certificates of a text; {@code from} names it in errors. */
  public static List<X509Certificate> certificates(String text, String from) {
    List<X509Certificate> certificates = new ArrayList<>();
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
        if (next instanceof X509CertificateHolder holder) {
          certificates.add(new JcaX509CertificateConverter().getCertificate(holder));
        }
      }
    } catch (IOException | CertificateException e) {
      throw Failure.of(from + " holds PEM that cannot be read: " + e.getMessage());
    }
    if (certificates.isEmpty()) {
      throw Failure.of(from + " holds no certificate in PEM");
    }
    return certificates;
  }

  /** The private key of a file: PKCS#8, or OpenSSL's older forms; not encrypted. */
  public static PrivateKey privateKey(Path file) {
    try (PEMParser parser = new PEMParser(new StringReader(read(file)))) {
      for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
        switch (next) {
          case PEMKeyPair pair -> {
            return converted(pair.getPrivateKeyInfo());
          }
          case PrivateKeyInfo info -> {
            return converted(info);
          }
          default -> {
            // Parameters of a curve, or a certificate next to the key.
          }
        }
      }
    } catch (IOException e) {
      throw Failure.of(file + " holds a key that cannot be read");
    }
    throw Failure.of(file + " holds no private key in PEM, or an encrypted one: decrypt it first");
  }

  /** The first request of a text, DER; {@code from} names it in errors. */
  public static byte[] request(String text, String from) {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      if (parser.readObject() instanceof PKCS10CertificationRequest request) {
        return request.getEncoded();
      }
    } catch (IOException e) {
      throw Failure.of(from + " holds PEM that cannot be read: " + e.getMessage());
    }
    throw Failure.of(from + " holds no certificate request in PEM");
  }

  /** One block. */
  public static String block(String label, byte[] der) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(label, der));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  private static PrivateKey converted(PrivateKeyInfo info) throws PEMException {
    return new JcaPEMKeyConverter().getPrivateKey(info);
  }

  static String read(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw Failure.of(file + " is a folder: name the file");
      }
      if (Files.size(file) > OCTETS_MAX) {
        throw Failure.of(file + " is too long for PEM");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw Failure.of("cannot read " + file);
    }
  }
}
