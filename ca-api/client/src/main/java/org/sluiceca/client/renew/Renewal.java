package org.sluiceca.client.renew;

import java.net.URI;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.Identity;
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/**
 * Renews one certificate when it is due: a new key, or the old one, and the same names, proven by
 * the current key. It may be ended at any instant and run again: it goes on where it was. Blocks;
 * not thread-safe.
 */
final class Renewal {
  private static final int ACCEPTED = 202;
  private static final int CONFLICT = 409;
  private static final String CHAIN = "application/pem-certificate-chain";

  /** The service takes a proof for 300 s; some are left for a clock that differs and the answer. */
  private static final Duration PROOF_AGE = Duration.ofSeconds(200);

  private static final Pattern PROOF =
      Pattern.compile("time=([0-9]{1,12}), signature=:[A-Za-z0-9+/]{2,2000}={0,2}:");

  /** Ten certificates with large keys. */
  private static final int CHAIN_OCTETS_MAX = 1 << 16;

  private final IdentityFiles files;
  private final Terms terms;
  private final InstantSource clock;
  private final Console console;

  /**
   * How a certificate is renewed.
   *
   * @param due when
   * @param forced at once, whatever {@code due} says
   * @param reusesKey whether the new certificate is for the old key
   * @param service the service's own name of itself, which is signed
   * @param before run before anything is asked; its failure ends the renewal
   * @param after run after the files were replaced, again next time where it fails
   */
  record Terms(
      Due due,
      boolean forced,
      boolean reusesKey,
      URI service,
      Optional<Hook> before,
      Optional<Hook> after) {}

  /**
   * What came of it.
   *
   * @param renewed whether the files were replaced
   * @param certificate the one that counts now
   * @param dueAt when it will be renewed
   */
  record Outcome(boolean renewed, X509Certificate certificate, Instant dueAt) {}

  Renewal(IdentityFiles files, Terms terms, InstantSource clock, Console console) {
    this.files = files;
    this.terms = terms;
    this.clock = clock;
    this.console = console;
  }

  /** Looks, and renews if it is time. */
  Outcome run(Service service) {
    try (RenewalFolder folder = new RenewalFolder(files.certificateFile())) {
      boolean finished = finish(folder);
      Identity current = files.read();
      if (!finished && isDue(current.certificate())) {
        renew(service, folder, current);
        if (!finish(folder)) {
          throw Failure.of("the files have changed meanwhile: the new certificate is not used");
        }
        finished = true;
        current = files.read();
      }
      X509Certificate certificate = current.certificate();
      if (finished) {
        console.say(
            "renewed as %s, valid until %s",
            RenewalProof.serial(certificate), certificate.getNotAfter().toInstant());
      }
      runAfter(folder, certificate);
      return new Outcome(finished, certificate, terms.due().of(certificate));
    }
  }

  private boolean isDue(X509Certificate certificate) {
    return terms.forced() || !clock.instant().isBefore(terms.due().of(certificate));
  }

  /** Replaces the files by what an earlier run, or this one, has got; false if there is nothing. */
  private boolean finish(RenewalFolder folder) {
    Optional<RenewalFolder.Complete> kept = folder.complete();
    if (kept.isEmpty()) {
      return false;
    }
    Identity here = files.read();
    if (!isFor(kept.get(), here.certificate())) {
      folder.discard();
      return false;
    }
    Identity renewed = new Identity(kept.get().freshKey().orElseGet(here::key), kept.get().chain());
    renewed.requirePair();
    if (terms.after().isPresent()) {
      folder.owesHook(true);
    }
    files.write(renewed);
    Identity written = files.read();
    written.requirePair();
    if (!written.certificate().equals(renewed.certificate())) {
      throw Failure.of(files.certificateFile() + " does not have what was written into it");
    }
    folder.discard();
    return true;
  }

  /** Another certificate, or another key, may have been put there meanwhile: that stays. */
  private static boolean isFor(RenewalFolder.Complete kept, X509Certificate here) {
    X509Certificate renewed = kept.chain().getFirst();
    String current = RenewalProof.serial(here);
    return (current.equals(kept.replaces()) || current.equals(RenewalProof.serial(renewed)))
        && (kept.freshKey().isPresent() || renewed.getPublicKey().equals(here.getPublicKey()));
  }

  private void renew(Service service, RenewalFolder folder, Identity current) {
    X509Certificate certificate = current.certificate();
    if (!clock.instant().isBefore(certificate.getNotAfter().toInstant())) {
      throw Failure.of(
          files.certificateFile()
              + " has expired, and what has expired cannot be renewed: sluice enroll");
    }
    current.requirePair();
    terms.before().ifPresent(hook -> hook.run(facts(certificate), folder.log()));
    byte[] csr = request(folder, current);
    String serial = RenewalProof.serial(certificate);
    Reply reply = ask(service, serial, csr, proof(folder, current, csr));
    if (reply.status() / 100 != 2) {
      if (isFinal(reply)) {
        folder.discard();
      }
      throw Failure.of(service.refusal(reply));
    }
    if (reply.status() == ACCEPTED) {
      throw Failure.of("the certificate is still being signed: run this again in a minute");
    }
    keep(folder, current, reply);
  }

  /** The same request until it is answered: there is no credential to look at an order with. */
  private static Reply ask(Service service, String serial, byte[] csr, String proof) {
    Call call =
        Call.post("/v1/certificates/" + serial + "/renewal", "application/pkcs10", CHAIN, csr)
            .with(RenewalProof.HEADER, proof);
    Reply reply = service.reply(call);
    while (reply.status() == ACCEPTED && service.waits(reply)) {
      reply = service.reply(call);
    }
    return reply;
  }

  /** A conflict that does not pass: the certificate is revoked, or its key is blocked. */
  private static boolean isFinal(Reply reply) {
    return Service.isFinal(reply)
        || (reply.status() == CONFLICT && reply.headers().firstValue("Retry-After").isEmpty());
  }

  private void keep(RenewalFolder folder, Identity old, Reply reply) {
    if (reply.body().length > CHAIN_OCTETS_MAX) {
      throw Failure.of("the answer is too long for a certificate and its chain");
    }
    Identity renewed =
        new Identity(
            folder.freshKey().orElseGet(old::key),
            PemFiles.certificates(reply.text(), "the answer"));
    renewed.requirePair();
    Optional<String> fault = Replacement.fault(old.certificate(), renewed.chain(), clock.instant());
    if (fault.isPresent()) {
      throw Failure.of("the service has sent what cannot replace the certificate: " + fault.get());
    }
    folder.keepCertificate(renewed.chainPem());
  }

  /** The request of a try that has no answer yet, or one for a new key like the old one. */
  private byte[] request(RenewalFolder folder, Identity current) {
    X509Certificate certificate = current.certificate();
    String serial = RenewalProof.serial(certificate);
    Optional<byte[]> kept = folder.request(serial, !terms.reusesKey());
    if (kept.isPresent()) {
      return kept.get();
    }
    KeyPair pair =
        terms.reusesKey()
            ? new KeyPair(certificate.getPublicKey(), current.key())
            : Identity.pairLike(certificate.getPublicKey());
    byte[] csr = Csr.like(certificate, pair);
    folder.keep(serial, terms.reusesKey() ? Optional.empty() : Optional.of(pair.getPrivate()), csr);
    return csr;
  }

  /**
   * The same proof again is the same request, so that a lost answer costs no second certificate.
   */
  private String proof(RenewalFolder folder, Identity current, byte[] csr) {
    String subject =
        String.join(
            " ",
            terms.service().toString(),
            RenewalProof.serial(current.certificate()),
            RenewalProof.sha256(csr));
    Instant now = clock.instant();
    Optional<String> kept = folder.proof(subject).filter(proof -> isFresh(proof, now));
    if (kept.isPresent()) {
      return kept.get();
    }
    String fresh = RenewalProof.of(terms.service(), current, now, csr);
    folder.keepProof(subject, fresh);
    return fresh;
  }

  private static boolean isFresh(String proof, Instant now) {
    Matcher matcher = PROOF.matcher(proof);
    if (!matcher.matches()) {
      return false;
    }
    Instant at = Instant.ofEpochSecond(Long.parseLong(matcher.group(1)));
    return !at.isAfter(now) && at.plus(PROOF_AGE).isAfter(now);
  }

  private void runAfter(RenewalFolder folder, X509Certificate certificate) {
    if (terms.after().isPresent() && folder.owesHook()) {
      terms.after().get().run(facts(certificate), folder.log());
      folder.owesHook(false);
    }
  }

  private Map<String, String> facts(X509Certificate certificate) {
    return Map.of(
        "SLUICE_CERT", files.certificateFile().toString(),
        "SLUICE_KEY", files.keyFile().toString(),
        "SLUICE_SERIAL", RenewalProof.serial(certificate),
        "SLUICE_NOT_AFTER", certificate.getNotAfter().toInstant().toString());
  }
}
