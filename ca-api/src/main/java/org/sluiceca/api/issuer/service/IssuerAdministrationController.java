package org.sluiceca.api.issuer.service;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/issuers}: admins put issuers into service, whose keys the ceremony has made, and out
 * of it. Roles are asked for by the routes.
 */
@RestController
final class IssuerAdministrationController {

  /**
   * Another issuer.
   *
   * @param certificates PEM, its own first, trust anchor last
   */
  record InstallWish(@Nullable String name, @Nullable String certificates) {}

  /** Another certificate of an issuer, with those above it. */
  record RenewalWish(@Nullable String certificates) {}

  /**
   * A retirement: what cannot be undone names what it is for, in a body that no form of another
   * site can send.
   *
   * @param name as in the path
   */
  record RetirementWish(@Nullable String name) {}

  private final IssuerAdministration issuers;
  private final IssuerStates states;
  private final Approvals approvals;

  IssuerAdministrationController(
      IssuerAdministration issuers, IssuerStates states, Approvals approvals) {
    this.issuers = issuers;
    this.states = states;
    this.approvals = approvals;
  }

  @PostMapping(path = IssuerBody.PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> install(
      @AuthenticationPrincipal Requester admin, @RequestBody InstallWish wish) {
    String name = required("name", wish.name());
    if (!IssuerName.isValid(name)) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "name must be 1 to 40 of a-z 0-9 -, first a letter");
    }
    return answered(
        issuers.judgeInstall(new IssuerName(name), certificates(wish.certificates())), admin);
  }

  @PostMapping(
      path = IssuerBody.PATH + "/{name}/certificate",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> renew(
      @AuthenticationPrincipal Requester admin,
      @PathVariable String name,
      @RequestBody RenewalWish wish) {
    List<CertificateDer> certificates = certificates(wish.certificates());
    return answered(issuers.judgeRenewal(nameOf(name), certificates), admin);
  }

  @PostMapping(
      path = IssuerBody.PATH + "/{name}/retirement",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> retire(
      @AuthenticationPrincipal Requester admin,
      @PathVariable String name,
      @RequestBody RetirementWish wish) {
    if (!required("name", wish.name()).equals(name)) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "name must be that of the path");
    }
    return answered(issuers.judgeRetirement(nameOf(name)), admin);
  }

  private ResponseEntity<Object> answered(IssuerAnswer judged, Requester admin) {
    if (judged instanceof IssuerAnswer.Ready(IssuerWish wish)) {
      return approvals.isHeldBack(action(wish))
          ? ApprovalBody.waiting(approvals.ask(action(wish), content(wish), admin))
          : standing(issuers.carryOut(wish, admin.id()), wish instanceof IssuerWish.Install);
    }
    return standing(judged, false);
  }

  private static ApprovalAction action(IssuerWish wish) {
    return switch (wish) {
      case IssuerWish.Certified certified -> ApprovalAction.ISSUER_INSTALL;
      case IssuerWish.Retire retire -> ApprovalAction.ISSUER_RETIREMENT;
    };
  }

  private static Map<String, Object> content(IssuerWish wish) {
    return switch (wish) {
      case IssuerWish.Certified certified ->
          IssuerInstallAct.content(certified)
              .orElseThrow(
                  () ->
                      new ProblemException(
                          ProblemType.INVALID_ISSUER,
                          String.format(
                              Locale.ROOT,
                              "the certificates are too long to wait for a second person: allowed %d octets",
                              IssuerInstallAct.OCTETS_MAX)));
      case IssuerWish.Retire retire -> IssuerRetirementAct.content(retire);
    };
  }

  private ResponseEntity<Object> standing(IssuerAnswer answer, boolean isInstallation) {
    if (!(answer instanceof IssuerAnswer.Standing(IssuerName name, boolean isNew))) {
      throw refused(answer);
    }
    IssuerBody body =
        IssuerBody.of(
            states
                .findNow(name)
                .orElseThrow(() -> new IllegalStateException("issuer " + name + " is not there")));
    return ResponseEntity.status(isNew && isInstallation ? HttpStatus.CREATED : HttpStatus.OK)
        .location(URI.create(IssuerBody.PATH + "/" + name))
        // Whatever the client accepts: what was done is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(body);
  }

  private static ProblemException refused(IssuerAnswer answer) {
    return switch (answer) {
      case IssuerAnswer.Invalid(String detail) ->
          new ProblemException(ProblemType.INVALID_ISSUER, detail);
      case IssuerAnswer.Contradicted(String detail) ->
          new ProblemException(ProblemType.CONFLICT, detail);
      case IssuerAnswer.Unknown(String detail) ->
          new ProblemException(ProblemType.NOT_FOUND, detail);
      case IssuerAnswer.Ready ready -> throw new IllegalStateException("not done");
      case IssuerAnswer.Standing standing -> throw new IllegalStateException("not refused");
    };
  }

  private static List<CertificateDer> certificates(@Nullable String pem) {
    try {
      return IssuerChain.parse(required("certificates", pem));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_ISSUER, String.valueOf(e.getMessage()));
    }
  }

  private static String required(String member, @Nullable String value) {
    if (value == null) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, member + " must be a text");
    }
    return value;
  }

  private static IssuerName nameOf(String name) {
    if (!IssuerName.isValid(name)) {
      throw new ProblemException(ProblemType.NOT_FOUND, "unknown issuer");
    }
    return new IssuerName(name);
  }
}
