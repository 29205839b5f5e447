package org.sluiceca.api.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Mutants of what stands between the line and its store. */
final class MutantStores {

  private static final int RANDOM_OCTET = 10;

  private MutantStores() {}

  /** A store that hands on to another, but for what is overridden. */
  static class AlteredStore implements LedgerStore {
    final LedgerStore real;

    AlteredStore(LedgerStore real) {
      this.real = real;
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      return real.recordIntent(intent, terms, deadline);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      return real.recordOutcome(serialNumber, outcome, claim, deadline);
    }

    @Override
    public Optional<LedgerEntry> find(SerialNumber serialNumber) {
      return real.find(serialNumber);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return real.claimExpired(terms, max);
    }
  }

  /** Makes a node's store of the real one. */
  @FunctionalInterface
  private interface Altering {
    LedgerStore alter(LedgerStore real, SimNode node);
  }

  static Map<String, Mutant> all() {
    Map<String, Mutant> all = new LinkedHashMap<>();
    put(all, "signed before the record", SignsFirst::new);
    put(all, "answered before the outcome is durable", AnswersFirst::new);
    put(all, "loser releases its own signature", LoserReleases::new);
    put(all, "recovery signs a new serial number", NewSerial::new);
    put(all, "refused request leaves an intent", RefusedLeavesIntent::new);
    put(all, "issued told by everybody who learns it", EverybodyTells::new);
    put(all, "ledger error taken for success", ErrorIsSuccess::new);
    return all;
  }

  private static void put(Map<String, Mutant> all, String name, Altering altering) {
    all.put(
        name,
        new Mutant() {
          @Override
          LedgerStore store(LedgerStore real, SimNode node) {
            return altering.alter(real, node);
          }
        });
  }

  private static final class SignsFirst extends AlteredStore {
    private final SimNode node;

    SignsFirst(LedgerStore real, SimNode node) {
      super(real);
      this.node = node;
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      AlteredStore takesAnything =
          new AlteredStore(real) {
            @Override
            public List<TakenOver> claimExpired(ClaimTerms t, int max) {
              return List.of(new TakenOver(intent, World.START, World.START, 0));
            }
          };
      RecordedIntent minted =
          new Ledger(takesAnything, terms, node.ticker()).takeOverExpired(1).getFirst().intent();
      try {
        node.signer().sign(minted, deadline);
      } catch (CaUnavailable e) {
        node.world().trace().note(node.world().now(), "mutant not signed", 0, 0);
      }
      return real.recordIntent(intent, terms, deadline);
    }
  }

  private static final class AnswersFirst extends AlteredStore {
    private final SimNode node;

    AnswersFirst(LedgerStore real, SimNode node) {
      super(real);
      this.node = node;
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      node.world()
          .baton()
          .spawn(
              "late outcome",
              node,
              () -> {
                try {
                  real.recordOutcome(serialNumber, outcome, claim, deadline);
                } catch (CaUnavailable e) {
                  node.world().trace().note(node.world().now(), "mutant lost an outcome", 0, 0);
                }
              });
      return new OutcomeAnswer.Recorded();
    }
  }

  private static final class LoserReleases extends AlteredStore {
    LoserReleases(LedgerStore real, SimNode node) {
      super(real);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      OutcomeAnswer answer = real.recordOutcome(serialNumber, outcome, claim, deadline);
      return answer instanceof OutcomeAnswer.AlreadyDecided ? new OutcomeAnswer.Recorded() : answer;
    }
  }

  private static final class NewSerial extends AlteredStore {
    NewSerial(LedgerStore real, SimNode node) {
      super(real);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      List<TakenOver> taken = new ArrayList<>();
      for (TakenOver each : real.claimExpired(terms, max)) {
        taken.add(
            new TakenOver(
                renumbered(each.intent()), each.recordedAt(), each.takenAt(), each.epoch()));
      }
      return taken;
    }

    private static Intent renumbered(Intent intent) {
      byte[] serial = intent.serialNumber().octets();
      byte[] tbs = intent.tbsCertificate().encoded();
      int at = tbs[1] == (byte) 0x82 ? 11 : 10;
      serial[RANDOM_OCTET] ^= 1;
      tbs[at + RANDOM_OCTET] ^= 1;
      return new Intent(
          SerialNumber.of(serial),
          TbsCertificateDer.of(tbs),
          intent.signatureAlgorithm(),
          intent.origin(),
          intent.idempotencyKey(),
          intent.payloadHash());
    }
  }

  private static final class RefusedLeavesIntent extends AlteredStore {
    RefusedLeavesIntent(LedgerStore real, SimNode node) {
      super(real);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      IntentAnswer answer = real.recordIntent(intent, terms, deadline);
      if (answer instanceof IntentAnswer.KeyInUse(LedgerEntry first)
          && !first.intent().payloadHash().equals(intent.payloadHash())) {
        Intent keyless =
            new Intent(
                intent.serialNumber(),
                intent.tbsCertificate(),
                intent.signatureAlgorithm(),
                intent.origin(),
                Optional.empty(),
                intent.payloadHash());
        real.recordIntent(keyless, terms, deadline);
      }
      return answer;
    }
  }

  private static final class EverybodyTells extends AlteredStore {
    private final SimNode node;

    EverybodyTells(LedgerStore real, SimNode node) {
      super(real);
      this.node = node;
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      OutcomeAnswer answer = real.recordOutcome(serialNumber, outcome, claim, deadline);
      if (answer instanceof OutcomeAnswer.AlreadyDecided(Outcome.Issued first)) {
        Intent intent = real.find(serialNumber).orElseThrow().intent();
        node.oracle()
            .event(
                new CaEvent.CertificateIssued(
                    serialNumber, intent.origin().profile(), intent.signatureAlgorithm()));
      }
      return answer;
    }
  }

  private static final class ErrorIsSuccess extends AlteredStore {
    ErrorIsSuccess(LedgerStore real, SimNode node) {
      super(real);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      try {
        return real.recordIntent(intent, terms, deadline);
      } catch (CaUnavailable.LedgerUnavailable e) {
        return new IntentAnswer.Recorded();
      }
    }
  }
}
