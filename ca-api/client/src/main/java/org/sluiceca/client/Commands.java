package org.sluiceca.client;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluiceca.client.acme.EabCommand;
import org.sluiceca.client.acme.RequestCommand;
import org.sluiceca.client.audit.AuditCommand;
import org.sluiceca.client.batch.BatchCommand;
import org.sluiceca.client.certificate.EnrollCommand;
import org.sluiceca.client.certificate.FindCommand;
import org.sluiceca.client.certificate.GetCommand;
import org.sluiceca.client.certificate.OrderCommand;
import org.sluiceca.client.certificate.RevokeAllCommand;
import org.sluiceca.client.certificate.RevokeCommand;
import org.sluiceca.client.credential.CredentialCommand;
import org.sluiceca.client.login.ConnectionsCommand;
import org.sluiceca.client.login.LoginCommand;
import org.sluiceca.client.login.LogoutCommand;
import org.sluiceca.client.observe.CapacityCommand;
import org.sluiceca.client.observe.ExpiryCommand;
import org.sluiceca.client.observe.WatchCommand;
import org.sluiceca.client.operate.ApprovalCommand;
import org.sluiceca.client.operate.EndpointCommand;
import org.sluiceca.client.operate.IssuerCommand;
import org.sluiceca.client.operate.ProfileCommand;
import org.sluiceca.client.renew.RenewCommand;
import org.sluiceca.client.shell.CompletionCommand;
import org.sluiceca.client.shell.ManCommand;
import org.sluiceca.client.shell.SchemaCommand;

/** The commands in the order of the help. */
final class Commands {

  private static final List<Map.Entry<String, Class<?>>> ALL =
      List.of(
          entry("enroll", EnrollCommand.class),
          entry("renew", RenewCommand.class),
          entry("batch", BatchCommand.class),
          entry("order", OrderCommand.class),
          entry("get", GetCommand.class),
          entry("find", FindCommand.class),
          entry("revoke", RevokeCommand.class),
          entry("revoke-all", RevokeAllCommand.class),
          entry("credential", CredentialCommand.class),
          entry("eab", EabCommand.class),
          entry("request", RequestCommand.class),
          entry("endpoint", EndpointCommand.class),
          entry("profile", ProfileCommand.class),
          entry("approval", ApprovalCommand.class),
          entry("issuer", IssuerCommand.class),
          entry("audit", AuditCommand.class),
          entry("capacity", CapacityCommand.class),
          entry("watch", WatchCommand.class),
          entry("expiry", ExpiryCommand.class),
          entry("login", LoginCommand.class),
          entry("connections", ConnectionsCommand.class),
          entry("logout", LogoutCommand.class),
          entry("completion", CompletionCommand.class),
          entry("man", ManCommand.class),
          entry("schema", SchemaCommand.class));

  /** They look at all others. */
  private static final Set<String> OF_ALL = Set.of("completion", "man", "schema");

  private Commands() {}

  /** Returns all of them. */
  static List<Class<?>> all() {
    return ALL.stream().<Class<?>>map(Map.Entry::getValue).toList();
  }

  /**
   * Returns those that a command line needs: all, the one that it begins with, or none to say the
   * version, because reading the annotations of all takes longer than most commands do.
   */
  static List<Class<?>> asked(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    if (first.equals("--version") && arguments.length == 1) {
      return List.of();
    }
    return ALL.stream()
        .filter(command -> command.getKey().equals(first) && !OF_ALL.contains(first))
        .findFirst()
        .map(command -> List.<Class<?>>of(command.getValue()))
        .orElseGet(Commands::all);
  }
}
