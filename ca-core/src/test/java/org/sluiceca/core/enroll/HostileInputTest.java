package org.sluiceca.core.enroll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.failure.Rejection.Reason.BAD_PROOF_OF_POSSESSION;
import static org.sluiceca.core.failure.Rejection.Reason.MALFORMED_CSR;
import static org.sluiceca.core.failure.Rejection.Reason.NAME_NOT_ALLOWED;
import static org.sluiceca.core.failure.Rejection.Reason.PROFILE_NOT_ALLOWED;
import static org.sluiceca.core.failure.Rejection.Reason.PROFILE_VIOLATION;
import static org.sluiceca.core.failure.Rejection.Reason.UNKNOWN_PROFILE;
import static org.sluiceca.core.failure.Rejection.Reason.UNSUPPORTED_ALGORITHM;
import static org.sluiceca.core.failure.Rejection.Reason.WEAK_KEY;
import static org.sluiceca.core.testkit.RawCsr.dns;
import static org.sluiceca.core.testkit.RawCsr.dnsNames;
import static org.sluiceca.core.testkit.RawCsr.ecKey;
import static org.sluiceca.core.testkit.RawCsr.edKey;
import static org.sluiceca.core.testkit.RawCsr.extension;
import static org.sluiceca.core.testkit.RawCsr.extensionRequest;
import static org.sluiceca.core.testkit.RawCsr.relativeName;
import static org.sluiceca.core.testkit.RawCsr.sound;
import static org.sluiceca.core.testkit.RawCsr.subjectAltName;
import static org.sluiceca.core.testkit.RawCsr.utf8;
import static org.sluiceca.core.testkit.RawDer.bitString;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WeakRsa;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SubjectPublicKey;

/**
 * Every bad input through the whole of accept: it is refused with the reason that its sender can
 * act on, the signer is never asked, the ledger knows nothing of it, and the next request is
 * served.
 */
class HostileInputTest {

  private static final byte[] RSA_ENCRYPTION = hex("06092a864886f70d010101");
  private static final byte[] NULL = hex("0500");
  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final String KEY_USAGE = "0603551d0f";
  private static final String P256 = "06082a8648ce3d030107";
  private static final String ED25519 = "06032b6570";
  private static final String ED448 = "06032b6571";
  private static final byte[] ECDSA_SHA256 = sequence(hex("06082a8648ce3d040302"));
  private static final BigInteger SHARED_PRIME = WeakRsa.prime(1);

  /** One bad input: what is wrong with it, and what its sender must learn. */
  private record Bad(String what, CsrDer csr, Reason reason, String detail) {}

  private static Bad bad(String what, byte[] csr, Reason reason, String detail) {
    return new Bad(what, CsrDer.of(csr), reason, detail);
  }

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final ListEventSink events = new ListEventSink();
  private final Admission admission = new Admission(1, () -> true, time, new SplittableRandom(1));
  private final SoftwareKey issuerKey = SoftwareKey.named("issuer-ec-p256");
  private final FakeSigner signer =
      new FakeSigner(Fixtures.ISSUING, issuerKey, SoftwareKey.named("ec-p256"));
  private final Enrollment line = line();

  private Enrollment line() {
    SignatureVerifier signatures = new BouncyCastleVerifier();
    Issuer issuer = Fixtures.issuing(issuerKey);
    IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
    KeyBlocklist blocklist =
        KeyBlocklist.parse(List.of("rsa-factor " + SHARED_PRIME.toString(16)).iterator());
    return new Enrollment(
        new AcceptSteps(
            admission,
            new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
            new CsrVerifier(signatures, blocklist),
            new Planner(issuers, new SerialNumbers(new SplittableRandom(1)), time)),
        new FinishSteps(signer, new PostSignCheck(issuers::publicKey, signatures)),
        new Ledger(store, new ClaimTerms(new NodeId("a"), Duration.ofSeconds(15)), time),
        events);
  }

  /** Without this the tests below would prove nothing: each request differs by one fault. */
  @Test
  void accept_soundRequest_promised() {
    assertThat(accept(CsrDer.of(sound().bytes()), Fixtures.tlsServer().name()))
        .isInstanceOf(Acceptance.Accepted.class);
    assertThat(records()).isEqualTo(1);
  }

  @TestFactory
  Stream<DynamicTest> accept_encodingThatIsNoDer_malformed() {
    byte[] real = sound().bytes();
    byte[] content = RawDer.content(real);
    return tests(
        bad("nothing", new byte[0], MALFORMED_CSR, "empty"),
        bad("text", "hello".getBytes(StandardCharsets.US_ASCII), MALFORMED_CSR, "truncated"),
        bad("PEM where DER is due", pem(real), MALFORMED_CSR, "truncated"),
        bad("zeros", new byte[99], MALFORMED_CSR, "97 trailing bytes"),
        bad("last byte missing", Arrays.copyOf(real, real.length - 1), MALFORMED_CSR, "truncated"),
        bad("first byte only", Arrays.copyOf(real, 1), MALFORMED_CSR, "truncated"),
        bad("trailing byte", join(real, new byte[1]), MALFORMED_CSR, "1 trailing bytes"),
        bad("two requests", join(real, real), MALFORMED_CSR, "trailing bytes"),
        bad(
            "indefinite length",
            join(hex("3080"), content, hex("0000")),
            MALFORMED_CSR,
            "indefinite"),
        bad(
            "length in three octets of two",
            join(hex("3083%06x".formatted(content.length)), content),
            MALFORMED_CSR,
            "octets to spare"),
        bad("length of four octets", join(hex("3084ffffffff"), content), MALFORMED_CSR, "4 octets"),
        bad("length of 127 octets", join(hex("30ff"), content), MALFORMED_CSR, "127 octets"),
        bad("tag of two octets", hex("bf810100"), MALFORMED_CSR, "more than one octet"),
        bad("nested 17 levels", nested(17), MALFORMED_CSR, "nested too deeply"),
        bad("nested 5,000 levels", nested(5_000), MALFORMED_CSR, "nested too deeply"),
        bad("2,001 elements", tlv(0x30, new byte[2 * 2_000]), MALFORMED_CSR, "2000 elements"),
        bad("64 KiB and one byte", new byte[65_537], MALFORMED_CSR, "65537 bytes, allowed 65536"),
        bad("64 KiB of names", sound().names(dnsNames(12_000)).bytes(), NAME_NOT_ALLOWED, "100"));
  }

  @TestFactory
  Stream<DynamicTest> accept_structureThatIsNoRequest_malformed() {
    byte[] real = sound().bytes();
    byte[] signature = sound().signature();
    byte[] info = sound().info();
    return tests(
        bad("version 2", sound().version(1).bytes(), MALFORMED_CSR, "unknown version"),
        bad("version -1", sound().version(-1).bytes(), MALFORMED_CSR, "unknown version"),
        bad("an empty SEQUENCE", hex("3000"), MALFORMED_CSR, "malformed"),
        bad("a certificate's shape", sequence(info, info, info), MALFORMED_CSR, "malformed"),
        bad("fourth element", tlv(0x30, RawDer.content(real), NULL), MALFORMED_CSR, "superfluous"),
        bad(
            "fifth element in the info",
            sound().behindTheAttributes(NULL).bytes(),
            MALFORMED_CSR,
            "superfluous"),
        bad(
            "signature with unused bits",
            sequence(info, sound().algorithm(), tlv(0x03, new byte[] {1}, signature)),
            MALFORMED_CSR,
            "unused bits"),
        bad(
            "signature as OCTET STRING",
            sequence(info, sound().algorithm(), tlv(0x04, signature)),
            MALFORMED_CSR,
            "malformed"));
  }

  @TestFactory
  Stream<DynamicTest> accept_signatureNotByTheKey_badProofOfPossession() {
    SoftwareKey ec = SoftwareKey.named("ec-p256");
    SoftwareKey rsa = SoftwareKey.named("rsa-2048");
    byte[] wrong = sound().bytes();
    wrong[wrong.length - 9] ^= 1;
    byte[] none = sequence(sound().info(), sound().algorithm(), bitString(new byte[0]));
    return tests(
        bad("one bit of the signature", wrong, BAD_PROOF_OF_POSSESSION, "does not verify"),
        bad("no signature", none, BAD_PROOF_OF_POSSESSION, "does not verify"),
        bad(
            "signed by another key",
            sound().signedBy(SoftwareKey.named("issuer-ed25519")).bytes(),
            BAD_PROOF_OF_POSSESSION,
            "does not verify"),
        bad(
            "algorithm of another family",
            sound().algorithm(ECDSA_SHA256).bytes(),
            BAD_PROOF_OF_POSSESSION,
            "does not verify"),
        bad(
            "Ed25519 with NULL",
            sound().algorithm(sequence(hex(ED25519), NULL)).bytes(),
            UNSUPPORTED_ALGORITHM,
            "parameters"),
        bad(
            "ECDSA with NULL",
            sound().key(ec, sequence(hex("06082a8648ce3d040302"), NULL)).bytes(),
            UNSUPPORTED_ALGORITHM,
            "parameters"),
        bad(
            "RSA with parameters",
            sound().key(rsa, sequence(hex("06092a864886f70d01010b"), sequence())).bytes(),
            UNSUPPORTED_ALGORITHM,
            "parameters other than NULL"),
        bad(
            "RSA with SHA-1",
            sound().key(rsa, sequence(hex("06092a864886f70d010105"), NULL)).bytes(),
            UNSUPPORTED_ALGORITHM,
            "sha1WithRSAEncryption (1.2.840.113549.1.1.5) is not supported"));
  }

  @TestFactory
  Stream<DynamicTest> accept_weakRsaKey_weakKey() {
    BigInteger good = WeakRsa.prime(2).multiply(WeakRsa.prime(3));
    BigInteger f4 = WeakRsa.F4;
    return tests(
        bad("RSA-1024", rsa(WeakRsa.prime(1), f4), WEAK_KEY, "1024 bits"),
        bad("RSA-2047", rsa(good.shiftRight(1).setBit(0), f4), WEAK_KEY, "2047 bits"),
        bad("RSA-8193", rsa(BigInteger.ONE.shiftLeft(8_192), f4), WEAK_KEY, "8193 bits"),
        bad("exponent 1", rsa(good, BigInteger.ONE), WEAK_KEY, "exponent"),
        bad("exponent 3", rsa(good, BigInteger.valueOf(3)), WEAK_KEY, "exponent"),
        bad("exponent even", rsa(good, BigInteger.valueOf(65_538)), WEAK_KEY, "exponent"),
        bad(
            "exponent of 65 bits",
            rsa(good, BigInteger.ONE.shiftLeft(64).setBit(0)),
            WEAK_KEY,
            "exponent"),
        bad("even modulus", rsa(good.clearBit(0), f4), WEAK_KEY, "small prime factor"),
        bad("close primes", rsa(WeakRsa.ofClosePrimes(1), f4), WEAK_KEY, "CVE-2022-26320"),
        bad("square modulus", rsa(WeakRsa.prime(4).pow(2), f4), WEAK_KEY, "CVE-2022-26320"),
        bad("ROCA", rsa(WeakRsa.ofRoca(1), f4), WEAK_KEY, "CVE-2017-15361"),
        bad(
            "shared prime",
            rsa(SHARED_PRIME.multiply(WeakRsa.prime(2)), f4),
            WEAK_KEY,
            "prime known to be shared"),
        bad("negative modulus", sound().key(negativeRsa(good)).bytes(), MALFORMED_CSR, "negative"),
        bad(
            "key of 3,000 elements",
            key(sequence(sequence(RSA_ENCRYPTION, NULL), bitString(sequence(nulls(3_000))))),
            MALFORMED_CSR,
            "2000 elements"),
        bad(
            "key with indefinite lengths",
            key(sequence(sequence(RSA_ENCRYPTION, NULL), bitString(hex("30803080")))),
            MALFORMED_CSR,
            "indefinite"));
  }

  @TestFactory
  Stream<DynamicTest> accept_weakEcOrEdwardsKey_weakKey() {
    SubjectPublicKey.Ec ec = (SubjectPublicKey.Ec) SoftwareKey.named("ec-p256").publicKey().key();
    byte[] x = unsigned(ec.x());
    byte[] y = unsigned(ec.y());
    byte[] offCurve = unsigned(ec.y().xor(BigInteger.ONE));
    byte[] aboveField = new byte[32];
    Arrays.fill(aboveField, (byte) 0xFF);
    byte[] four = {4};
    byte[] one = new byte[57];
    one[0] = 1;
    return tests(
        bad(
            "point off the curve",
            key(ecKey(P256, four, x, offCurve)),
            WEAK_KEY,
            "not on the curve"),
        bad(
            "coordinate above p",
            key(ecKey(P256, four, x, aboveField)),
            WEAK_KEY,
            "not on the curve"),
        bad("point at infinity", key(ecKey(P256, new byte[1])), WEAK_KEY, "infinity"),
        bad(
            "compressed point",
            key(ecKey(P256, new byte[] {2}, x)),
            UNSUPPORTED_ALGORITHM,
            "compressed"),
        bad("hybrid point", key(ecKey(P256, new byte[] {6}, x, y)), MALFORMED_CSR, "uncompressed"),
        bad("short point", key(ecKey(P256, four, x)), MALFORMED_CSR, "uncompressed"),
        bad("P-256 point as P-384", key(ecKey("06052b81040022", four, x, y)), MALFORMED_CSR, ""),
        bad(
            "secp256k1",
            file("openssl-ec-secp256k1"),
            UNSUPPORTED_ALGORITHM,
            "secp256k1 (1.3.132.0.10)"),
        bad(
            "explicit curve",
            file("openssl-ec-explicit-curve"),
            UNSUPPORTED_ALGORITHM,
            "named curve"),
        bad("Ed25519, 31 octets", key(edKey(ED25519, new byte[31])), MALFORMED_CSR, "ED25519"),
        bad("Ed25519, small order", key(edKey(ED25519, new byte[32])), WEAK_KEY, "small order"),
        bad("Ed25519, y = 2^255 - 1", key(edKey(ED25519, aboveField)), WEAK_KEY, "not canonical"),
        bad("Ed448, 56 octets", key(edKey(ED448, new byte[56])), MALFORMED_CSR, "ED448"),
        bad("Ed448, small order", key(edKey(ED448, one)), WEAK_KEY, "small order"),
        bad(
            "X25519",
            key(edKey("06032b656e", new byte[32])),
            UNSUPPORTED_ALGORITHM,
            "X25519 (1.3.101.110)"),
        bad(
            "DSA",
            key(edKey("06072a8648ce380401", new byte[32])),
            UNSUPPORTED_ALGORITHM,
            "DSA (1.2.840.10040.4.1)"));
  }

  @TestFactory
  Stream<DynamicTest> accept_attributesThatAskAmiss_refused() {
    byte[] san = subjectAltName(dns("a.test"));
    byte[] usage = extension(KEY_USAGE, true, hex("03020780"));
    byte[] unknown = extension("06032a0304", true, NULL);
    byte[] microsofts = sequence(hex("060a2b06010401823702010e"), tlv(0x31, sequence(usage)));
    return tests(
        bad("unknown critical extension", extensions(san, unknown), PROFILE_VIOLATION, "1.2.3.4"),
        bad(
            "extension with an OID of 4,096 octets",
            extensions(san, sequence(tlv(0x06, new byte[4_096]), tlv(0x04, NULL))),
            MALFORMED_CSR,
            "object identifier"),
        bad(
            "unknown extension",
            extensions(san, extension("06032a0304", false, NULL)),
            PROFILE_VIOLATION,
            "1.2.3.4"),
        bad("extension twice", extensions(san, usage, usage), MALFORMED_CSR, "more than once"),
        bad("33 extensions", extensions(unknownExtensions(33)), MALFORMED_CSR, "33 requested"),
        bad(
            "extension in two extensionRequests",
            sound().attributes(extensionRequest(usage), extensionRequest(usage, san)).bytes(),
            MALFORMED_CSR,
            "more than once"),
        bad(
            "extension in Microsoft's attribute too",
            sound().attributes(microsofts, extensionRequest(usage, san)).bytes(),
            MALFORMED_CSR,
            "more than once"),
        bad(
            "17 attributes",
            sound().attributes(unknownAttributes(17)).bytes(),
            MALFORMED_CSR,
            "17 attributes"),
        bad(
            "extensionRequest of three elements",
            sound().attributes(sequence(hex("06092a864886f70d01090e"), tlv(0x31), NULL)).bytes(),
            MALFORMED_CSR,
            "superfluous"));
  }

  @TestFactory
  Stream<DynamicTest> accept_powersThatTheProfileDoesNotGive_refused() {
    byte[] san = subjectAltName(dns("a.test"));
    return tests(
        bad(
            "CA certificate",
            extensions(san, extension("0603551d13", true, hex("30030101ff"))),
            PROFILE_VIOLATION,
            "CA"),
        bad(
            "keyCertSign",
            extensions(san, extension(KEY_USAGE, true, hex("03020204"))),
            PROFILE_VIOLATION,
            "keyCertSign"),
        bad("SAN of no name", sound().names().bytes(), MALFORMED_CSR, "without a name"),
        bad(
            "SAN that is no DER",
            extensions(extension("0603551d11", false, hex("3080"))),
            MALFORMED_CSR,
            "indefinite"));
  }

  @TestFactory
  Stream<DynamicTest> accept_namesBeyondTheProfile_nameNotAllowed() {
    return tests(
        bad(
            "10,000 SANs",
            sound().names(dnsNames(10_000)).bytes(),
            NAME_NOT_ALLOWED,
            "more than 100"),
        bad("101 SANs", sound().names(dnsNames(101)).bytes(), NAME_NOT_ALLOWED, "more than 100"),
        bad(
            "otherName",
            names(tlv(0xA0, hex("06022a03"), tlv(0xA0, NULL))),
            NAME_NOT_ALLOWED,
            "otherName"),
        bad("x400Address", names(tlv(0xA3, sequence())), NAME_NOT_ALLOWED, "x400Address"),
        bad("directoryName", names(tlv(0xA4, sequence())), NAME_NOT_ALLOWED, "directoryName"),
        bad("ediPartyName", names(tlv(0xA5, NULL)), NAME_NOT_ALLOWED, "ediPartyName"),
        bad("registeredID", names(tlv(0x88, hex("2a03"))), NAME_NOT_ALLOWED, "registeredID"),
        bad(
            "e-mail outside the policy",
            names(tlv(0x81, ascii("a@a.test"))),
            NAME_NOT_ALLOWED,
            "EMAIL"),
        bad("URI outside the policy", names(tlv(0x86, ascii("urn:a:b"))), NAME_NOT_ALLOWED, "URI"),
        bad("dNSName of another class", names(tlv(0x42, ascii("a.test"))), MALFORMED_CSR, "tag 66"),
        bad(
            "dNSName in parts",
            names(tlv(0xA2, tlv(0x16, ascii("a.test")))),
            MALFORMED_CSR,
            "tag 162"));
  }

  @TestFactory
  Stream<DynamicTest> accept_hostsAndAddressesThatAreNone_nameNotAllowed() {
    return tests(
        bad("U-label", names(dns("b\u00fccher.test")), NAME_NOT_ALLOWED, "IA5String"),
        bad("A-label of no IDNA", names(dns("xn--ls8h.test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("underscore", names(dns("a_b.test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("trailing dot", names(dns("a.test.")), NAME_NOT_ALLOWED, "DNS name"),
        bad("empty label", names(dns("a..test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("label of 64", names(dns("a".repeat(64) + ".test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("wildcard of a TLD", names(dns("*.test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("NUL in a dNSName", names(dns("a.test\0.evil.test")), NAME_NOT_ALLOWED, "DNS name"),
        bad("address of 5 octets", names(tlv(0x87, new byte[5])), MALFORMED_CSR, "5 octets"),
        bad(
            "IPv4-mapped address",
            names(tlv(0x87, hex("00000000000000000000ffffc0000201"))),
            MALFORMED_CSR,
            "mapped"),
        bad(
            "unspecified address",
            names(tlv(0x87, new byte[4])),
            NAME_NOT_ALLOWED,
            "no single host"));
  }

  @TestFactory
  Stream<DynamicTest> accept_subjectsThatAreNone_nameNotAllowed() {
    byte[] nul = utf8("a.test\0.evil.test");
    return tests(
        bad("CN with NUL", sound().commonName(nul).bytes(), NAME_NOT_ALLOWED, "control"),
        bad(
            "CN with a newline",
            sound().commonName(utf8("a\nb")).bytes(),
            NAME_NOT_ALLOWED,
            "control"),
        bad(
            "CN from right to left",
            sound().commonName(utf8("a\u202eb")).bytes(),
            NAME_NOT_ALLOWED,
            "control"),
        bad(
            "CN of zero width",
            sound().commonName(utf8("a\u200bb")).bytes(),
            NAME_NOT_ALLOWED,
            "control"),
        bad(
            "CN of 65 characters",
            sound().commonName(utf8("a".repeat(65))).bytes(),
            NAME_NOT_ALLOWED,
            "65"),
        bad(
            "CN that is no SAN",
            sound().commonName(utf8("b.test")).bytes(),
            NAME_NOT_ALLOWED,
            "CN"));
  }

  @TestFactory
  Stream<DynamicTest> accept_subjectsInAnotherEncoding_refused() {
    return tests(
        bad(
            "BMPString with a surrogate",
            sound().commonName(tlv(0x1E, hex("d834dd1e"))).bytes(),
            NAME_NOT_ALLOWED,
            "surrogate"),
        bad(
            "T61String",
            sound().commonName(tlv(0x14, ascii("a"))).bytes(),
            NAME_NOT_ALLOWED,
            "string type"),
        bad(
            "UniversalString",
            sound().commonName(tlv(0x1C, hex("00000061"))).bytes(),
            NAME_NOT_ALLOWED,
            "string type"),
        bad(
            "PrintableString of Latin-1",
            sound().commonName(tlv(0x13, hex("fc"))).bytes(),
            NAME_NOT_ALLOWED,
            "outside ASCII"),
        bad(
            "invalid UTF-8",
            sound().commonName(tlv(0x0C, hex("c0af"))).bytes(),
            MALFORMED_CSR,
            "malformed"),
        bad(
            "empty relative name",
            sound().subject(tlv(0x31)).bytes(),
            MALFORMED_CSR,
            "empty relative name"),
        bad(
            "two common names in one relative name",
            sound()
                .subject(
                    tlv(0x31, sequence(COMMON_NAME, utf8("a")), sequence(COMMON_NAME, utf8("b"))))
                .bytes(),
            NAME_NOT_ALLOWED,
            "more than one CN"),
        bad(
            "attribute of three elements",
            sound().subject(tlv(0x31, sequence(COMMON_NAME, utf8("a.test"), NULL))).bytes(),
            MALFORMED_CSR,
            "superfluous"),
        bad(
            "emailAddress in the subject",
            sound()
                .subject(relativeName(hex("06092a864886f70d010901"), tlv(0x16, ascii("a"))))
                .bytes(),
            NAME_NOT_ALLOWED,
            "emailAddress (1.2.840.113549.1.9.1)"),
        bad(
            "unknown attribute in the subject",
            sound().subject(relativeName(hex("06032a0304"), tlv(0x16, ascii("a")))).bytes(),
            NAME_NOT_ALLOWED,
            "1.2.3.4"),
        bad("empty subject", sound().subject().attributes().bytes(), NAME_NOT_ALLOWED, ""));
  }

  @Test
  void accept_profileUnknownOrNotAllowed_refusedBeforeTheCsrIsRead() {
    CsrDer garbage = CsrDer.of(new byte[] {1});

    assertRefused(garbage, new ProfileName("nowhere"), UNKNOWN_PROFILE, "nowhere");
    assertRefused(garbage, Fixtures.issuingCa().name(), PROFILE_NOT_ALLOWED, "");
  }

  private Stream<DynamicTest> tests(Bad... inputs) {
    return Arrays.stream(inputs)
        .map(
            input ->
                DynamicTest.dynamicTest(
                    input.what(),
                    () ->
                        assertRefused(
                            input.csr(),
                            Fixtures.tlsServer().name(),
                            input.reason(),
                            input.detail())));
  }

  private void assertRefused(CsrDer csr, ProfileName profile, Reason reason, String detail) {
    Acceptance acceptance = accept(csr, profile);

    assertThat(acceptance)
        .isInstanceOfSatisfying(
            Acceptance.Rejected.class,
            rejected -> {
              Rejection rejection = rejected.rejection();
              assertThat(rejection.reason()).as(rejection.detail()).isEqualTo(reason);
              assertThat(rejection.detail()).contains(detail).matches("[ -~\u2026]{1,300}");
              // No class name, no record of Java: the client reads the standard's words.
              assertThat(rejection.detail()).doesNotContainPattern("org\\.|Exception|\\w+\\[\\w+=");
            });
    assertThat(signer.signatures()).isZero();
    assertThat(records()).isZero();
    assertThat(admission.occupancy().inFlight()).isZero();
    assertThat(events.names()).containsOnly("RequestAdmitted", "RequestRejected");
  }

  private Acceptance accept(CsrDer csr, ProfileName profile) {
    return line.accept(
        new EnrollmentRequest(Fixtures.requester(), profile, csr, Optional.empty()),
        Deadline.after(Duration.ofSeconds(10), time));
  }

  private int records() {
    time.pass(Duration.ofMinutes(1));
    return store.claimExpired(new ClaimTerms(new NodeId("z"), Duration.ofSeconds(15)), 9).size();
  }

  private static byte[] names(byte[]... names) {
    return sound().names(names).bytes();
  }

  private static byte[] extensions(byte[]... extensions) {
    return sound().extensions(extensions).bytes();
  }

  private static byte[] key(byte[] key) {
    return sound().key(key).bytes();
  }

  private static byte[] rsa(BigInteger modulus, BigInteger exponent) {
    return key(WeakRsa.key(modulus, exponent).encoded());
  }

  private static byte[] negativeRsa(BigInteger modulus) {
    return sequence(
        sequence(RSA_ENCRYPTION, NULL),
        bitString(sequence(RawDer.integer(modulus.negate()), RawDer.integer(WeakRsa.F4))));
  }

  private static byte[][] nulls(int count) {
    return Stream.generate(() -> NULL).limit(count).toArray(byte[][]::new);
  }

  private static byte[] file(String name) {
    return CsrFixture.file(name).encoded();
  }

  private static byte[] pem(byte[] der) {
    return Pem.write(Pem.CERTIFICATE_REQUEST, der).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] nested(int levels) {
    byte[] value = {};
    for (int i = 0; i < levels; i++) {
      value = sequence(value);
    }
    return value;
  }

  private static byte[][] unknownExtensions(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> extension("06032a03%02x".formatted(i), false, NULL))
        .toArray(byte[][]::new);
  }

  private static byte[][] unknownAttributes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> sequence(hex("06032a03%02x".formatted(i)), tlv(0x31, NULL)))
        .toArray(byte[][]::new);
  }

  private static byte[] unsigned(BigInteger value) {
    return hex("%064x".formatted(value));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
