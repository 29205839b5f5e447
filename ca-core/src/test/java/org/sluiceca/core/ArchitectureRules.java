package org.sluiceca.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The boundary rules of the core (docs/ARCHITECTURE.md), for any root package: {@code
 * ArchitectureTest} asks them of the core and of {@code org.sluiceca.mutant}, which breaks each.
 */
final class ArchitectureRules {

  /**
   * The order of the packages: each imports only those before it. {@code event} stands behind
   * {@code request} and {@code sign} because events name requesters, profiles and lanes; {@code
   * plan.lint} stands before {@code plan}, which runs the lints; {@code sign} stands before the
   * steps because the recorded intent is what implements {@code Signable}. {@code renewal} stands
   * second because it is arithmetic over validities and serial numbers and shall stay that.
   */
  static final List<String> ORDER =
      List.of(
          "x509",
          "renewal",
          "syntax",
          "der",
          "verify",
          "wire.json",
          "wire.jws",
          "failure",
          "time",
          "request",
          "sign",
          "event",
          "throughput",
          "quota",
          "admit.share",
          "admit",
          "order",
          "naming",
          "profile",
          "csr",
          "plan.lint",
          "plan",
          "check",
          "intent",
          "enroll",
          "registration.name",
          "registration",
          "revoke",
          "revoke.bulk",
          "crl",
          "ocsp",
          "audit",
          "audit.verify");

  /** What proves that a step was taken, by package: no other package may make one. */
  private static final Set<String> STEP_TOKENS =
      Set.of(
          "admit.LinePermit",
          "admit.BacklogPermit",
          "profile.AuthorizedRequest",
          "csr.VerifiedCsr",
          "plan.IssuancePlan",
          "check.CheckedSignature",
          "intent.RecordedIntent",
          "audit.RecordedCheckpoint");

  private final String root;

  ArchitectureRules(String root) {
    this.root = root;
  }

  /** One rule a package: it depends on no later package. */
  List<ArchRule> packageOrder() {
    List<ArchRule> rules = new ArrayList<>();
    for (int i = 0; i < ORDER.size() - 1; i++) {
      String[] later =
          ORDER.subList(i + 1, ORDER.size()).stream().map(this::in).toArray(String[]::new);
      rules.add(
          noClasses()
              .that()
              .resideInAPackage(in(ORDER.get(i)))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(later)
              .because("the packages follow the steps: " + String.join(", ", ORDER))
              .allowEmptyShould(true));
    }
    return rules;
  }

  /** A package that is not in the order would escape every rule about it. */
  ArchRule everyPackageIsInTheOrder() {
    return classes()
        .that()
        .resideOutsideOfPackage(root)
        .should()
        .resideInAnyPackage(ORDER.stream().map(this::in).toArray(String[]::new));
  }

  ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  ArchRule asn1OnlyInDer() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in("der"), in("verify"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bouncycastle..");
  }

  /** The verifier names hashes by OID and catches IOException; it parses nothing itself. */
  ArchRule verifyParsesNothing() {
    return noClasses()
        .that()
        .resideInAPackage(in("verify"))
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.bouncycastle.asn1..")
                .and(
                    DescribedPredicate.not(
                        DescribedPredicate.describe(
                            "are names of algorithms",
                            c ->
                                c.getSimpleName().endsWith("ObjectIdentifiers")
                                    || c.getSimpleName().equals("ASN1ObjectIdentifier")))))
        .allowEmptyShould(true);
  }

  ArchRule cryptoOnlyInVerify() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(in("verify"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("org.bouncycastle..", "javax.crypto..")
                .and(
                    DescribedPredicate.not(
                        resideInAnyPackage("org.bouncycastle.asn1..", "org.bouncycastle.util.."))))
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.Signature");
  }

  /** Each by a durable record, but the OCSP response, which a key of its own signs. */
  private static final Set<String> SIGNABLES =
      Set.of(
          "intent.RecordedIntent",
          "crl.RecordedCrl",
          "ocsp.UnsignedResponse",
          "audit.RecordedCheckpoint");

  private static final Set<String> SIGNING_PACKAGES =
      Set.of("sign", "enroll", "crl", "ocsp", "audit");

  ArchRule onlyWhatIsListedIsSignable() {
    return classes()
        .that()
        .areNotInterfaces()
        .and()
        .areAssignableTo(root + ".sign.Signable")
        .should(
            be(
                DescribedPredicate.describe(
                    "listed as signable", c -> SIGNABLES.contains(nameBelowRoot(c)))))
        .allowEmptyShould(true);
  }

  ArchRule onlyWhatIsListedSigns() {
    return classes()
        .that()
        .resideOutsideOfPackages(SIGNING_PACKAGES.stream().map(this::in).toArray(String[]::new))
        .should(
            not(
                callMethodWhere(
                    DescribedPredicate.<JavaMethodCall>describe(
                        "a signature is asked for",
                        call ->
                            (call.getName().equals("sign") || call.getName().equals("prepare"))
                                && call.getTargetOwner()
                                    .isAssignableTo(root + ".sign.IssuerSigner")))));
  }

  /** Time, randomness, threads and I/O come in as ports, so that a simulation owns them. */
  ArchRule noWorldOfItsOwn() {
    return noClasses()
        .should(
            callMethodWhere(
                DescribedPredicate.<JavaMethodCall>describe(
                    "a clock, a generator or a name server is asked",
                    ArchitectureRules::asksTheWorld)))
        .orShould()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.io.file..", "java.nio.file..", "java.net.http..", "java.util.logging.."))
        .orShould()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are threads, timers, generators or files", c -> WORLD.contains(c.getFullName())));
  }

  private static final Set<String> WORLD =
      Set.of(
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.System$Logger",
          "java.util.Timer",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.concurrent.Executors",
          "java.util.concurrent.ExecutorService",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.ForkJoinPool",
          "java.io.File",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.net.Socket",
          "java.net.URL");

  private static final Set<String> WORLD_CALLS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getProperty",
          "java.lang.System.getenv",
          "java.lang.Math.random",
          "java.util.UUID.randomUUID",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.random.RandomGenerator.of",
          "java.time.InstantSource.system",
          "java.net.InetAddress.getByName",
          "java.net.InetAddress.getAllByName",
          "java.net.InetAddress.getLocalHost",
          "java.net.InetAddress.getHostName",
          "java.net.InetAddress.getCanonicalHostName");

  private static boolean asksTheWorld(JavaMethodCall call) {
    String owner = call.getTargetOwner().getFullName();
    return WORLD_CALLS.contains(owner + "." + call.getName())
        || (owner.startsWith("java.time.") && call.getName().equals("now"));
  }

  ArchRule stepTokensAreMintedByTheirStep() {
    return classes()
        .that(
            DescribedPredicate.describe(
                "are step tokens", c -> STEP_TOKENS.contains(nameBelowRoot(c))))
        .should(
            new ArchCondition<>("be final with package-private constructors only") {
              @Override
              public void check(JavaClass token, ConditionEvents events) {
                boolean isFinal = token.getModifiers().contains(JavaModifier.FINAL);
                events.add(new SimpleConditionEvent(token, isFinal, token + " is not final"));
                for (JavaConstructor constructor : token.getConstructors()) {
                  Set<JavaModifier> modifiers = constructor.getModifiers();
                  boolean isOpen =
                      modifiers.contains(JavaModifier.PUBLIC)
                          || modifiers.contains(JavaModifier.PROTECTED);
                  events.add(
                      new SimpleConditionEvent(
                          token, !isOpen, constructor.getFullName() + " is open to others"));
                }
              }
            });
  }

  /** The tokens that exist below the root: a renamed one would escape its rule. */
  static boolean isStepToken(String nameBelowRoot) {
    return STEP_TOKENS.contains(nameBelowRoot);
  }

  static int stepTokenCount() {
    return STEP_TOKENS.size();
  }

  String nameBelowRoot(JavaClass type) {
    return type.getFullName().startsWith(root + ".")
        ? type.getFullName().substring(root.length() + 1)
        : "";
  }

  private String in(String name) {
    return root + "." + name;
  }
}
