package org.sluiceca.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** One Java file as javac parses it; nothing is resolved, so no class path is needed. */
record JavaFile(String path, CompilationUnitTree unit, SourcePositions positions) {

  private static final String SCHEME = "source:///";

  static List<JavaFile> parse(Map<String, String> sources) {
    List<Source> units =
        sources.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList();
    if (units.isEmpty()) {
      return List.of();
    }
    // Syntax errors are the compiler's to report.
    DiagnosticCollector<JavaFileObject> ignored = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, ignored, List.of("-proc:none"), null, units);
    try {
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      List<JavaFile> files = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        // javac hands back a wrapper of our Source: its URI alone survives.
        String path = unit.getSourceFile().toUri().getPath().substring(1);
        files.add(new JavaFile(path, unit, positions));
      }
      return List.copyOf(files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isTest() {
    return Checkout.isTest(path);
  }

  /** The file's name without {@code .java}. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
  }

  /** Every tree of this kind, in the order of the source. */
  <T extends Tree> List<T> all(Class<T> kind) {
    List<T> found = new ArrayList<>();
    new TreeScanner<Void, List<T>>() {
      @Override
      public @Nullable Void scan(@Nullable Tree tree, List<T> into) {
        if (kind.isInstance(tree)) {
          into.add(kind.cast(tree));
        }
        return super.scan(tree, into);
      }
    }.scan(unit, found);
    return found;
  }

  long line(Tree tree) {
    return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
  }

  /** Lines from the first modifier to the closing brace; Javadoc is not counted. */
  long length(Tree tree) {
    return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree)) - line(tree) + 1;
  }

  Finding finding(Tree tree, String message) {
    return new Finding(path, line(tree), message);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String path, String text) {
      super(URI.create(SCHEME + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
