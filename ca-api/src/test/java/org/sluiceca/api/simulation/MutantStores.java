package org.sluiceca.api.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.testkit.ForwardingLedgerStore;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Mutants of what stands between the line and its store. */
final class MutantStores {

  private static final int RANDOM_OCTET = 10;

  private MutantStores() {}

  /** Makes a node's store of the real one. */
  @FunctionalInterface
  private interface Altering {
    LedgerStore alter(LedgerStore sound, SimNode node);
  }

  static Map<String, Mutant> all() {
    Map<String, Mutant> all = new LinkedHashMap<>();
    put(all, "signed before the record", SignsFirst::new);
    put(all, "answered before the outcome is durable", AnswersFirst::new);
    put(
        all,
        "loser releases its own signature",
        (sound, node) -> ForwardingLedgerStore.whereEverybodyWins(sound));
    put(all, "recovery signs a new serial number", NewSerial::new);
    put(all, "refused request leaves an intent", RefusedLeavesIntent::new);
    put(all, "issued reported by every caller that learns it", EverybodyTells::new);
    put(all, "ledger error taken for success", ErrorIsSuccess::new);
    return all;
  }

  private static void put(Map<String, Mutant> all, String name, Altering altering) {
    all.put(
        name,
        new Mutant() {
          @Override
          LedgerStore store(LedgerStore sound, SimNode node) {
            return altering.alter(sound, node);
          }
        });
  }

  private static final class SignsFirst extends ForwardingLedgerStore {
    private final SimNode node;

    SignsFirst(LedgerStore sound, SimNode node) {
      super(sound);
      this.node = node;
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      ForwardingLedgerStore takesAnything =
          new ForwardingLedgerStore(sound) {
            @Override
            public List<TakenOver> claimExpired(ClaimTerms t, int max) {
              return List.of(new TakenOver(intent, World.START, World.START, 0));
            }
          };
      RecordedIntent minted =
          new Ledger(takesAnything, terms, node.ticker()).takeOverExpired(1).getFirst().intent();
      try {
        node.signer().sign(minted, schedule(intent, deadline));
      } catch (CaUnavailable e) {
        node.world().trace().note(node.world().now(), "mutant not signed", 0, 0);
      }
      return sound.recordIntent(intent, terms, deadline);
    }
  }

  private static SignSchedule schedule(Intent intent, Deadline deadline) {
    return new SignSchedule(Lane.INTERACTIVE, intent.origin().requester(), deadline, deadline);
  }

  private static final class AnswersFirst extends ForwardingLedgerStore {
    private final SimNode node;

    AnswersFirst(LedgerStore sound, SimNode node) {
      super(sound);
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
                  sound.recordOutcome(serialNumber, outcome, claim, deadline);
                } catch (CaUnavailable e) {
                  node.world().trace().note(node.world().now(), "mutant lost an outcome", 0, 0);
                }
              });
      return new OutcomeAnswer.Recorded();
    }
  }

  private static final class NewSerial extends ForwardingLedgerStore {
    NewSerial(LedgerStore sound, SimNode node) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      List<TakenOver> taken = new ArrayList<>();
      for (TakenOver each : sound.claimExpired(terms, max)) {
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

  private static final class RefusedLeavesIntent extends ForwardingLedgerStore {
    RefusedLeavesIntent(LedgerStore sound, SimNode node) {
      super(sound);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      IntentAnswer answer = sound.recordIntent(intent, terms, deadline);
      if (answer instanceof IntentAnswer.KeyInUse(LedgerEntry first)
          && !first.intent().payloadHash().equals(intent.payloadHash())) {
        sound.recordIntent(Intents.keyless(intent), terms, deadline);
      }
      return answer;
    }
  }

  private static final class EverybodyTells extends ForwardingLedgerStore {
    private final SimNode node;

    EverybodyTells(LedgerStore sound, SimNode node) {
      super(sound);
      this.node = node;
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      OutcomeAnswer answer = sound.recordOutcome(serialNumber, outcome, claim, deadline);
      if (answer instanceof OutcomeAnswer.AlreadyDecided(Outcome.Issued first)) {
        Intent intent = sound.find(serialNumber).orElseThrow().intent();
        node.oracle()
            .event(
                new CaEvent.CertificateIssued(
                    serialNumber,
                    intent.origin().requester(),
                    intent.origin().profile(),
                    intent.signatureAlgorithm(),
                    TbsCertificateWriter.assemble(
                        intent.tbsCertificate(), intent.signatureAlgorithm(), first.signature())));
      }
      return answer;
    }
  }

  private static final class ErrorIsSuccess extends ForwardingLedgerStore {
    ErrorIsSuccess(LedgerStore sound, SimNode node) {
      super(sound);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      try {
        return sound.recordIntent(intent, terms, deadline);
      } catch (CaUnavailable.LedgerUnavailable e) {
        return new IntentAnswer.Recorded();
      }
    }
  }
}
