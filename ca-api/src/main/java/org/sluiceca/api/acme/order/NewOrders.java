package org.sluiceca.api.acme.order;

import java.time.Duration;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.core.registration.CertificateRequest;

/** Makes orders durable, within their limits. Thread-safe; blocks for a statement or two. */
public final class NewOrders {

  private static final Duration OPEN_RETRY = Duration.ofMinutes(1);

  private final AccountStore accounts;
  private final PostgresRequestStore store;

  public NewOrders(AccountStore accounts, PostgresRequestStore store) {
    this.accounts = accounts;
    this.store = store;
  }

  /**
   * Makes an order durable.
   *
   * @throws AcmeProblem RATE_LIMITED if its account, the network of that or its requester has too
   *     many; ACCOUNT_DOES_NOT_EXIST if the account was removed meanwhile
   */
  void add(CertificateRequest order, Account account) {
    if (!store.add(order, account.standing().network())) {
      throw AcmeProblem.later(
          "too many orders without a CSR, of this hour, or refused: of this account, its network or"
              + " all of "
              + account.requester().value()
              + "; finalize them, or wait",
          OPEN_RETRY);
    }
    requireUsed(account);
  }

  /**
   * From its first order on an account is kept. Behind the order: one that was refused would keep
   * its account for good, and an account with an order is not removed.
   */
  private void requireUsed(Account account) {
    if (account.binding().isEmpty()
        && !account.standing().isUsed()
        && !accounts.use(account.id())) {
      throw new AcmeProblem(
          AcmeError.ACCOUNT_DOES_NOT_EXIST, "the account was removed: register again");
    }
  }
}
