import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Counts the classes of this product that take part in one request, seen from outside: attaches to
 * a JVM that was started with jdwp, and notes in which classes a method is entered while a command
 * runs: on virtual threads, which serve requests, and on the threads of the ledger's writer, of the
 * token's sessions and of the port. The node's own loops have other threads. The command runs
 * several times, and only classes that were entered each time count. Needs nothing but a JDK:
 *
 * <pre>java loadtest/bench/EnrolledClasses.java PORT ROUNDS COMMAND…</pre>
 */
final class EnrolledClasses {

  private static final String PRODUCT = "org.sluiceca.*";
  /** Platform threads that work for requests; all others of the start are the node's own loops. */
  private static final Pattern OF_REQUESTS =
      Pattern.compile("ledger-writer-\\d+|hsm-.*-\\d+|https?-.*");

  private static final long COMMAND_SECONDS_MAX = 60;
  private static final long QUIET_MILLIS = 500;

  private EnrolledClasses() {}

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT);
    if (arguments.length < 3) {
      System.err.println("usage: EnrolledClasses PORT ROUNDS COMMAND...");
      System.exit(2);
    }
    List<String> command = List.of(Arrays.copyOfRange(arguments, 2, arguments.length));
    VirtualMachine machine = attach(arguments[0]);
    Set<ThreadReference> loops =
        machine.allThreads().stream()
            .filter(thread -> !OF_REQUESTS.matcher(thread.name()).matches())
            .collect(Collectors.toSet());
    Set<String> always = null;
    try {
      for (int round = 0; round < Integer.parseInt(arguments[1]); round++) {
        Set<String> entered = entered(machine, loops, command);
        if (always == null) {
          always = new TreeSet<>(entered);
        } else {
          always.retainAll(entered);
        }
      }
    } finally {
      machine.dispose();
    }
    print(always);
  }

  private static VirtualMachine attach(String port) throws Exception {
    AttachingConnector socket =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(c -> c.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> to = socket.defaultArguments();
    to.get("hostname").setValue("127.0.0.1");
    to.get("port").setValue(port);
    return socket.attach(to);
  }

  private static Set<String> entered(
      VirtualMachine machine, Set<ThreadReference> loops, List<String> command)
      throws Exception {
    MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(PRODUCT);
    request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    request.enable();
    Process running =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Set<String> entered = new TreeSet<>();
    while (running.isAlive()) {
      take(machine, loops, entered, 50);
    }
    if (!running.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS) || running.exitValue() != 0) {
      throw new IllegalStateException("the command failed: " + String.join(" ", command));
    }
    request.disable();
    take(machine, loops, entered, QUIET_MILLIS);
    machine.eventRequestManager().deleteEventRequest(request);
    return entered;
  }

  /** Takes events until none comes for so long. */
  private static void take(
      VirtualMachine machine, Set<ThreadReference> loops, Set<String> entered, long quietMillis)
      throws InterruptedException {
    EventSet events = machine.eventQueue().remove(quietMillis);
    while (events != null) {
      for (Event event : events) {
        if (event instanceof MethodEntryEvent entry && !loops.contains(entry.thread())) {
          entered.add(ofSource(entry.method().declaringType().name()));
        }
      }
      events = machine.eventQueue().remove(quietMillis);
    }
  }

  /** Lambdas and proxies are not classes that anyone reads; nested ones are. */
  private static String ofSource(String name) {
    int generated = name.indexOf("$$");
    return generated < 0 ? name : name.substring(0, generated);
  }

  private static void print(Set<String> classes) {
    Map<String, List<String>> packages = new TreeMap<>();
    for (String name : classes) {
      int dot = name.lastIndexOf('.');
      packages
          .computeIfAbsent(name.substring(0, dot), p -> new ArrayList<>())
          .add(name.substring(dot + 1));
    }
    packages.forEach((p, names) -> System.out.println(p + ": " + String.join(" ", names)));
    long files = classes.stream().map(name -> name.replaceFirst("\\$.*", "")).distinct().count();
    System.out.println(classes.size() + " classes, " + files + " of them not nested");
  }
}
