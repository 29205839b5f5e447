package org.sluiceca.api.simulation;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuance.store.commit.SteppedLedgerStore.Commit;
import org.sluiceca.core.admit.PlaceThief;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/** The faults that the simulation must notice, each a plausible mistake of a later change. */
final class Mutants {

  private Mutants() {}

  /** All of them, by name. */
  static Map<String, Mutant> all() {
    Map<String, Mutant> all = new LinkedHashMap<>(MutantStores.all());
    addOfOutcomesAndClaims(all);
    addOfKeys(all);
    addOfRecovery(all);
    addOfTheLine(all);
    addOfPlaces(all);
    return all;
  }

  private static void addOfOutcomesAndClaims(Map<String, Mutant> all) {
    all.put(
        "outcome under a lost claim",
        new OnTables() {
          // Takes a zombie that records in a small window.
          @Override
          int firstSeed() {
            return 301;
          }

          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              boolean isNewest(IntentRow intent, Claim claim) {
                return true;
              }
            };
          }
        });
    all.put(
        "second outcome overwrites the first",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              Optional<OutcomeAnswer> insertOutcome(
                  Transaction transaction, SerialNumber serial, Outcome outcome, Claim claim) {
                transaction.then(
                    () ->
                        putOutcome(
                            transaction,
                            serial,
                            new OutcomeRow(outcome, claim.owner(), claim.epoch())));
                return Optional.of(new OutcomeAnswer.Recorded());
              }
            };
          }
        });
    all.put(
        "take-over of a living claim",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              boolean isExpired(ClaimRow claim, long now) {
                return true;
              }
            };
          }
        });
  }

  private static void addOfKeys(Map<String, Mutant> all) {
    all.put(
        "idempotency key outside the intent's transaction",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              void writeKey(
                  Transaction transaction, Key key, SerialNumber serial, ClaimTerms terms) {
                transaction.then(
                    () ->
                        world
                            .baton()
                            .spawn(
                                "late key",
                                null,
                                () -> {
                                  world.baton().pass(world.dice().millis(1, 100));
                                  keys.put(key, serial);
                                }));
              }
            };
          }
        });
    all.put(
        "idempotency key of one node only",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              private Key own(Key key, ClaimTerms terms) {
                return new Key(key.requester(), key.key() + terms.owner());
              }

              @Override
              void writeKey(
                  Transaction transaction, Key key, SerialNumber serial, ClaimTerms terms) {
                super.writeKey(transaction, own(key, terms), serial, terms);
              }

              @Override
              @Nullable SerialNumber holderOf(Key key, ClaimTerms terms) {
                return super.holderOf(own(key, terms), terms);
              }
            };
          }
        });
  }

  private static void addOfRecovery(Map<String, Mutant> all) {
    all.put(
        "claim by the node's clock",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              long claimNow(Transaction transaction, ClaimTerms terms) {
                return transaction.now + terms.owner().value().hashCode() % 8 * 1_000_000_000L;
              }
            };
          }
        });
    all.put(
        "watermark passes a transaction that is committing",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              long oldestWriting() {
                return Long.MAX_VALUE;
              }
            };
          }
        });
    all.put(
        "watermark moves further than was announced",
        new OnTables() {
          // Takes a clock set back while a pass commits, which few worlds have.
          @Override
          int firstSeed() {
            return 3850;
          }

          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              long announced() {
                return Long.MAX_VALUE;
              }
            };
          }
        });
    all.put(
        "rows not locked",
        new OnTables() {
          @Override
          SimDatabase tables(World world) {
            return new SimDatabase(world) {
              @Override
              boolean lock(Transaction transaction, Set<Object> rows) {
                super.lock(transaction, rows);
                return true;
              }
            };
          }
        });
  }

  private static void addOfTheLine(Map<String, Mutant> all) {
    all.put("given up, then signed after all", new SignsWhatWasGivenUp());
    all.put("batch with a bad row fails silently", new SilentBatch());
    all.put(
        "signature not checked",
        new Mutant() {
          @Override
          PostSignCheck postSignCheck(PostSignCheck real) {
            return new PostSignCheck(
                Cast.ISSUERS::publicKey, (key, algorithm, message, signature) -> true);
          }
        });
    all.put(
        "signer given no deadline",
        new Mutant() {
          // Takes a token that hangs on every session of a node.
          @Override
          int firstSeed() {
            return 141;
          }

          @Override
          IssuerSigner signer(IssuerSigner real, SimNode node) {
            return (signable, schedule) -> real.sign(signable, endless(schedule, node));
          }
        });
    all.put(
        "signed again when in doubt",
        new Mutant() {
          @Override
          IssuerSigner signer(IssuerSigner real, SimNode node) {
            return (signable, schedule) -> {
              try {
                return real.sign(signable, schedule);
              } catch (SignerUnavailable e) {
                return real.sign(signable, schedule);
              }
            };
          }
        });
    all.put(
        "retry after a ledger error forgets the key",
        new Mutant() {
          @Override
          Acceptance accept(Enrollment line, EnrollmentRequest request, Deadline deadline) {
            try {
              return line.accept(request, deadline);
            } catch (CaUnavailable e) {
              return line.accept(
                  new EnrollmentRequest(
                      request.requester(), request.profile(), request.csr(), Optional.empty()),
                  deadline);
            }
          }
        });
  }

  private static void addOfPlaces(Map<String, Mutant> all) {
    all.put(
        "place leaked when finishing fails",
        new Mutant() {
          @Override
          Finishing finishing(Finishing real, SimNode node) {
            return (accepted, answerBy) -> {
              try {
                var finish = node.line().finish(accepted.pending());
                accepted.place().completed();
                return Optional.of(finish);
              } catch (CaUnavailable | InterruptedException e) {
                return Optional.empty();
              }
            };
          }
        });
    all.put(
        "place given back twice",
        new Mutant() {
          @Override
          Finishing finishing(Finishing real, SimNode node) {
            return (accepted, answerBy) -> {
              var finish = real.finish(accepted, answerBy);
              PlaceThief.release(node.admission(), accepted.place());
              return finish;
            };
          }
        });
    all.put(
        "place given back too early",
        new Mutant() {
          @Override
          Finishing finishing(Finishing real, SimNode node) {
            return (accepted, answerBy) -> {
              accepted.place().close();
              return real.finish(accepted, answerBy);
            };
          }
        });
  }

  private static SignSchedule endless(SignSchedule schedule, SimNode node) {
    Deadline never = Deadline.after(Duration.ofHours(1), node.ticker());
    return new SignSchedule(schedule.lane(), schedule.requester(), schedule.answerBy(), never);
  }

  /** A database with one wrong rule. */
  private abstract static class OnTables extends Mutant {
    abstract SimDatabase tables(World world);

    @Override
    final SimDatabase database(World world) {
      return tables(world);
    }
  }

  private static final class SignsWhatWasGivenUp extends Mutant {
    @Override
    SimDatabase database(World world) {
      return new SimDatabase(world) {
        @Override
        boolean isPending(SerialNumber serial) {
          return !isIssued(serial);
        }
      };
    }

    @Override
    RecoveryDecider.Registry registry(SimRegistry real, World world) {
      return new RecoveryDecider.Registry() {
        @Override
        public boolean isKnownHere(Intent.Origin origin) {
          return true;
        }

        @Override
        public boolean isIssuerActive(Intent.Origin origin) {
          return real.isIssuerActive(origin) || world.dice().chance(0.5);
        }

        @Override
        public boolean isIssuerAsStored(Intent.Origin origin) {
          return true;
        }

        @Override
        public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
          return real.isKeyCompromised(key, requester);
        }

        @Override
        public boolean isRequesterAllowed(Intent.Origin origin) {
          return true;
        }
      };
    }
  }

  private static final class SilentBatch extends Mutant {
    @Override
    Commit commit(Commit real, SimNode node) {
      return (intents, outcomes) -> {
        try {
          return real.commit(intents, outcomes);
        } catch (SQLException e) {
          if (!"23514".equals(e.getSQLState())) {
            throw e;
          }
          List<Optional<IntentAnswer>> recorded = new ArrayList<>();
          intents.forEach(i -> recorded.add(Optional.of(new IntentAnswer.Recorded())));
          List<Optional<OutcomeAnswer>> decided = new ArrayList<>();
          outcomes.forEach(o -> decided.add(Optional.of(new OutcomeAnswer.Recorded())));
          return new Tables.Answers(recorded, decided);
        }
      };
    }
  }
}
