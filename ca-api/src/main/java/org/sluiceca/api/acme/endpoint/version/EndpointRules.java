package org.sluiceca.api.acme.endpoint.version;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.InvalidEndpoint;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.OctetString;

/**
 * The rules that a stored version must meet, beyond being a good file of an endpoint, to be served
 * by this node. What only a trial may have comes by file alone: any name, and challenges that ask
 * this machine or other ports than the standard ones. Thread-safe.
 */
public final class EndpointRules {

  private final EndpointFiles files;
  private final Predicate<ProfileName> isIssuing;
  private final boolean hasSecrets;

  /**
   * Judges by this node's own files.
   *
   * @param files what this node has read at its start
   * @param isIssuing whether this node issues under a profile now; must not block
   * @param hasSecrets whether this node has a file of keys that all nodes share
   */
  public EndpointRules(EndpointFiles files, Predicate<ProfileName> isIssuing, boolean hasSecrets) {
    this.files = files;
    this.isIssuing = isIssuing;
    this.hasSecrets = hasSecrets;
  }

  /** Returns what this node has read at its start: never what was activated. */
  public EndpointFiles files() {
    return files;
  }

  /**
   * Reads a version and judges all of it that does not change while this node runs.
   *
   * @throws InvalidEndpoint with the faults of the file, or else with all that these rules refuse
   */
  public AcmeEndpoint read(byte[] content) {
    AcmeEndpoint endpoint = parsed(content);
    refuse(faults(endpoint, content));
    return endpoint;
  }

  /**
   * Reads a version and judges all of it, as this node is now.
   *
   * @throws InvalidEndpoint as {@link #read} does, with what {@link #unavailable} finds, too
   */
  public AcmeEndpoint judged(byte[] content) {
    AcmeEndpoint endpoint = parsed(content);
    List<String> faults = faults(endpoint, content);
    unavailable(endpoint).ifPresent(faults::add);
    refuse(faults);
    return endpoint;
  }

  private static AcmeEndpoint parsed(byte[] content) {
    if (content.length > EndpointFiles.OCTETS_MAX) {
      throw new InvalidEndpoint(
          List.of(
              String.format(
                  Locale.ROOT,
                  "an endpoint has at most %d octets, not %d",
                  EndpointFiles.OCTETS_MAX,
                  content.length)));
    }
    return EndpointFiles.parse(content);
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new InvalidEndpoint(faults);
    }
  }

  private List<String> faults(AcmeEndpoint endpoint, byte[] content) {
    List<String> faults = new ArrayList<>();
    if (!hasSecrets) {
      faults.add("this node has no sluice.secrets-file, which a node that serves ACME needs");
    }
    if (endpoint.statedVersion().isEmpty()) {
      faults.add("it must state its version, 1 or higher");
    }
    if (endpoint.allowsAnyName()) {
      faults.add("any-name is for the files of a trial: bindings name their domains");
    }
    if (endpoint.proofs().map(Proofs::terms).filter(EndpointRules::isOfATrial).isPresent()) {
      faults.add(
          "addresses: trial, http-port and tls-port are for the files of a trial: leave them out");
    }
    endpoint
        .proofs()
        .filter(EndpointRules::hasSourceAddress)
        .map(EndpointRules::ofANode)
        .ifPresent(faults::add);
    files
        .find(endpoint.name())
        .filter(own -> own.endpoint().version() == endpoint.version())
        .filter(own -> !own.content().equals(OctetString.copyOf(content)))
        .ifPresent(
            own ->
                faults.add(
                    "this node's file of that version has other content: raise the version"));
    return faults;
  }

  private static boolean hasSourceAddress(Proofs proofs) {
    return proofs.terms().perspectives().all().stream().anyMatch(one -> one.source().isPresent());
  }

  /** Without its source-address a perspective may break another rule: one answer says both. */
  private static String ofANode(Proofs proofs) {
    return "source-address is for the files of a node, whose address it is: leave it out"
        + (proofs.needsSourceAddresses()
            ? ", and set ip-addresses to false, or leave perspectives out"
            : "");
  }

  /** RFC 8555 8.3 and RFC 8737 3 name the ports. */
  private static boolean isOfATrial(ValidationTerms terms) {
    return terms.addresses().scope() == AddressPolicy.Scope.TRIAL
        || terms.httpPort() != ValidationTerms.HTTP_PORT
        || terms.tlsPort() != ValidationTerms.TLS_PORT;
  }

  /** Returns why a stored version that was read cannot be served now, if it cannot. */
  public Optional<String> unavailable(AcmeEndpoint endpoint) {
    List<String> idle =
        endpoint.profiles().stream()
            .filter(profile -> !isIssuing.test(profile))
            .map(Object::toString)
            .toList();
    return idle.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "this node issues nothing under "
                + (idle.size() == 1 ? "the profile " : "the profiles ")
                + String.join(", ", idle));
  }
}
