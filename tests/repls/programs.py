"""The table of the interpreters and database clients, and what each of them is told to do.

In the inputs, @ stands for a number that differs each time, and in `result` and `called` for what must come of it.
"""
import dataclasses

ENDLESS_SQL = "with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c;"
SLOW_SQL = ("with recursive c(x) as (select 1 union all select x+1 from c limit 10000000) "
            "select 1000+@ from c where x=10000000;")
ROWS_SQL = "with recursive c(x) as (select 1 union all select x+1 from c limit 300) select 'row ' || x from c;"
SLOW_JS = "for (let t = Date.now(); Date.now() - t < 3000;); 1000+@"
ROWS_JS = "for (let i = 1; i <= 300; i++) console.log('row ' + i)"
FUNCTION_JS = "function f(x) {\n  const y = x * 2;\n  return y + 1;\n}\nf(@)\n"
SLOW_PYTHON = "__import__('time').sleep(3) or 1000+@"
ROWS_PYTHON = "for i in range(1, 301): print('row', i)\n"
FUNCTION_PYTHON = "def f(x):\n    y = x * 2\n    return y + 1\n\nf(@)\n"
FUNCTION_SQL = "select\n  @ * 2\n  + 1\n  as n\n;\n"
FUNCTION_RUBY = "def f(x)\n  y = x * 2\n  y + 1\nend\nf(@)\n"
FUNCTION_SCHEME = "(define (f x)\n  (let ((y (* x 2)))\n    (+ y 1)))\n\n(f @)\n"
LOOP_SCHEME = "(let loop () (loop))"


@dataclasses.dataclass
class Program:
    """Describes one program: how it is started, and its words for what all of them can do."""
    name: str
    argv: list
    prompt: str          # a regular expression for the end of the line in which it asks
    expression: str      # yields 1000 + @
    slow: str            # the same after about three seconds
    function: str        # about five lines, the last of which calls what the others define
    rows: str            # prints "row 1" to "row 300", each in a line
    error: tuple         # an input, and a part of the complaint
    loop: str            # does not end
    env: dict = dataclasses.field(default_factory=dict)
    leave: tuple = (["<C-d>"], "exited=0")
    slow_result: str = ""  # of `slow`, if it is another one
    needs: str = ""      # a server of servers.py
    # The cells that are not "ok": the word, and the key of the explanation in page.py.
    odd: dict = dataclasses.field(default_factory=dict)


PROGRAMS = [
    Program("python3", ["python3", "-q"], r">>>", expression="1000+@", slow=SLOW_PYTHON, function=FUNCTION_PYTHON,
            rows=ROWS_PYTHON, error=("1/0", "ZeroDivisionError"), loop="while True: pass\n"),
    Program("pdb", ["python3", "-m", "pdb", "script.py"], r"\(Pdb\)", expression="1000+@", slow=SLOW_PYTHON,
            function="x1 = @\nx2 = x1 * 2\nx3 = x2\nx3 = x3 + 1\nx3\n", rows="for i in range(1, 301): print('row', i)",
            error=("1/0", "ZeroDivisionError"), loop="while True: pass"),
    Program("ipython3", ["ipython3", "--no-banner"], r"In \[\d+\]:", expression="1000+@", slow=SLOW_PYTHON,
            function=FUNCTION_PYTHON, rows=ROWS_PYTHON, error=("1/0", "ZeroDivisionError"), loop="while True: pass\n",
            leave=("exit\n", "exited=0"), odd={"^C at the prompt": ("no prompt", "silent")}),
    Program("ptpython", ["ptpython"], r">>>", expression="1000+@", slow=SLOW_PYTHON,
            function="def f(x):\n    y = x * 2\n    return y + 1\n\nprint(f(@))\n\n", rows=ROWS_PYTHON,
            error=("1/0", "ZeroDivisionError"), loop="while True: pass\n", leave=("exit()\n", "exited=0"),
            odd={"list": ("no result", "indents")}),
    Program("bpython", ["bpython"], r">>>", expression="1000+@", slow=SLOW_PYTHON, function=FUNCTION_PYTHON,
            rows=ROWS_PYTHON, error=("1/0", "ZeroDivisionError"), loop="while True: pass\n",
            odd={"string": ("no result", "indents"), "list": ("no result", "indents")}),
    Program("node", ["node"], r">", expression="1000+@", slow=SLOW_JS, function=FUNCTION_JS, rows=ROWS_JS,
            error=("nope()", "not defined"), loop="while (true) {}"),
    Program("deno", ["deno", "repl"], r">", expression="1000+@", slow=SLOW_JS, function=FUNCTION_JS, rows=ROWS_JS,
            error=("nope()", "not defined"), loop="while (true) {}", env={"DENO_NO_UPDATE_CHECK": "1"},
            odd={"^C in a loop": ("busy", "raw")}),
    Program("bun", ["bun", "repl"], r"❯", expression="1000+@", slow=SLOW_JS, function=FUNCTION_JS, rows=ROWS_JS,
            error=("nope()", "not defined"), loop="while (true) {}", odd={"^C in a loop": ("busy", "raw")}),
    Program("mongosh", ["mongosh", "--nodb", "--quiet"], r">", expression="1000+@", slow="sleep(3000); 1000+@",
            function=FUNCTION_JS, rows=ROWS_JS, error=("nope()", "not defined"), loop="while (true) {}",
            odd={"busy": ("input", "event loop")}),
    Program("sqlite3", ["sqlite3"], r"sqlite>", expression="select 1000+@;", slow=SLOW_SQL, function=FUNCTION_SQL,
            rows=ROWS_SQL, error=("select nope;", "no such column"), loop=ENDLESS_SQL,
            odd={"^C at the prompt": ("no prompt", "silent")}),
    Program("litecli", ["litecli", "--no-warn", ":memory:"], r">", expression="select 1000+@ as n;", slow=SLOW_SQL,
            function=FUNCTION_SQL, rows=ROWS_SQL, error=("select nope;", "no such column"), loop=ENDLESS_SQL,
            odd={"list": ("no result", "line by line"), "^C in a loop": ("busy", "library")}),
    Program("psql", ["psql", "-X", "postgres"], r"=[#>]", expression="select 1000+@;",
            slow="select 1000+@ from pg_sleep(3);", function=FUNCTION_SQL,
            rows="select 'row ' || x from generate_series(1, 300) x;", error=("select nope;", "does not exist"),
            loop="select pg_sleep(1000);", needs="postgres"),
    Program("pgcli", ["pgcli", "postgres"], r"postgres>", expression="select 1000+@ as n;",
            slow="select 1000+@ as n from pg_sleep(3);", function=FUNCTION_SQL,
            rows="select 'row ' || x from generate_series(1, 300) x;", error=("select nope;", "does not exist"),
            loop="select pg_sleep(1000);", needs="postgres", odd={"list": ("no result", "line by line")}),
    Program("mariadb", ["sh", "-c", "exec mariadb --no-defaults -uroot -S $MYSQL_UNIX_PORT"], r"MariaDB \[.*\]>",
            expression="select 1000+@ as n;", slow="select sleep(3)+1000+@ as n;", function=FUNCTION_SQL,
            rows="with recursive c(x) as (select 1 union all select x+1 from c where x < 300) select concat('row "
                 "', x) from c;", error=("select nope;", "Unknown column"), loop="select sleep(1000);",
            needs="mariadb"),
    Program("redis-cli", ["sh", "-c", "exec redis-cli -s $REDIS_SOCKET"], r">", expression='eval "return 1000+@" 0',
            slow="blpop nothing 3", function="set a @\nincrby a @\nincr a\nget a\nget a\n",
            rows="eval \"local r = {} for i = 1, 300 do r[i] = 'row ' .. i end return r\" 0",
            error=("nope", "unknown command"), loop="blpop nothing 0", slow_result="nil", needs="redis",
            odd={"^C in a loop": ("exited=1", "ends"), "^C at the prompt": ("exited=0", "ends")}),
    Program("gdb", ["gdb", "-q", "-nx"], r"\(gdb\)", expression="print 1000+@", slow="shell sleep 3; expr 1000 + @",
            function="define f@\n  set $y = $arg0 * 2\n  print $y + 1\nend\nf@ @\n",
            rows='set $i = 1\nwhile $i <= 300\nprintf "row %d\\n", $i++\nend', error=("print nope", "No symbol"),
            loop="while 1\nend", odd={"paste": ("no result", "one command"), "300 lines": ("no prompt", "pager")}),
    Program("lldb", ["lldb"], r"\(lldb\)", expression="expr 1000+@",
            slow="script import time; time.sleep(3); print(1000+@)",
            function="expr 1+0\nexpr 2+0\nexpr 3+0\nexpr @*2\nexpr @*2+1\n",
            rows="script print('\\n'.join(f'row {i}' for i in range(1, 301)))",
            error=("expr nope", "undeclared identifier"), loop="script all(True for _ in iter(int, 1))",
            env={"PYTHONPATH": "/usr/lib/llvm-14/lib/python3.11/dist-packages"},
            odd={"^C in a loop": ("busy", "second")}),
    Program("ghci", ["ghci"], r"(ghci|Prelude)>", expression="1000+@",
            slow="Control.Concurrent.threadDelay 3000000 >> print (1000+@)",
            function=":{\nf x =\n  let y = x * 2\n  in y + 1\n:}\nf @\n",
            rows='mapM_ (\\i -> putStrLn ("row " ++ show i)) [1..300]', error=("nope", "not in scope"),
            loop="last [1..]"),
    Program("ocaml", ["ocaml"], r"#", expression="1000+@;;", slow='ignore (Sys.command "sleep 3"); 1000+@;;',
            function="let f x =\n  let y = x * 2 in\n  y + 1;;\n\nf @;;\n",
            rows='for i = 1 to 300 do Printf.printf "row %d\\n" i done;;', error=("nope;;", "Unbound value"),
            loop="while true do () done;;"),
    Program("irb", ["irb"], r"irb.*>", expression="1000+@", slow="sleep 3; 1000+@", function=FUNCTION_RUBY,
            rows='(1..300).each { |i| puts "row #{i}" }; 0', error=("nope", "undefined local variable"),
            loop="loop {}"),
    Program("pry", ["pry"], r"pry.*>", expression="1000+@", slow="sleep 3; 1000+@", function=FUNCTION_RUBY,
            rows='(1..300).each { |i| puts "row #{i}" }; 0', error=("nope", "undefined local variable"),
            loop="loop {}"),
    Program("php", ["php", "-a"], r"php >", expression='echo 1000+@, "\\n";', slow='sleep(3); echo 1000+@, "\\n";',
            function='function f@($x) {\n  $y = $x * 2;\n  return $y + 1;\n}\necho f@(@), "\\n";\n',
            rows='for ($i = 1; $i <= 300; $i++) echo "row $i\\n";', error=("nope();", "undefined function"),
            loop="while (true) {}",
            odd={"^C in a loop": ("signal=INT", "ends"), "^C at the prompt": ("signal=INT", "ends")}),
    Program("R", ["R", "--no-save", "--quiet"], r">", expression="1000+@", slow="Sys.sleep(3); 1000+@",
            function="f <- function(x) {\n  y <- x * 2\n  y + 1\n}\nf(@)\n",
            rows="for (i in 1:300) cat('row ', i, '\\n', sep='')", error=("nope", "not found"), loop="repeat {}"),
    Program("octave", ["octave-cli", "--quiet"], r"octave:\d+>", expression="1000+@", slow="pause(3); 1000+@",
            function="function z = f(x)\n  y = x * 2;\n  z = y + 1;\nend\nf(@)\n",
            rows="for i = 1:300, printf('row %d\\n', i); end", error=("nope", "undefined"), loop="while true, end"),
    Program("gp", ["gp", "-q"], r"(\?|break.*>)", expression="1000+@", slow='system("sleep 3"); 1000+@',
            function="f(x) = {\n  my(y = x * 2);\n  y + 1;\n}\nf(@)\n", rows='for(i=1, 300, print("row ", i))',
            error=("1/0", "impossible inverse"), loop="while(1,)", leave=("quit\n", "exited=0")),
    Program("maxima", ["maxima", "--very-quiet", "--disable-readline"], r"", expression="1000+@;",
            slow='(system("sleep 3"), 1000+@);', function="f(x) := block([y],\n  y : x * 2,\n  y + 1\n)$\nf(@);\n",
            rows='for i:1 thru 300 do print("row", i)$', error=("1/0;", "undefined"), loop="while true do 1;"),
    Program("gnuplot", ["gnuplot"], r"gnuplot>", expression="print 1000+@", slow="pause 3; print 1000+@",
            function="if (1) {\n  y = @ * 2\n  y = y + 1\n  print y\n}\n",
            rows="do for [i=1:300] { print sprintf('row %d', i) }", error=("print nope", "undefined variable"),
            loop="while (1) { a = 1 }"),
    Program("swipl", ["swipl", "-q"], r"\?-", expression="X is 1000+@.", slow="sleep(3), X is 1000+@.",
            function="[user].\nf@(X, Z) :- Y is X * 2,\n  Z is Y + 1.\nend_of_file.\nf@(@, Z).\n",
            rows='forall(between(1, 300, X), format("row ~d~n", [X])).', error=("nope.", "Unknown procedure"),
            loop="repeat, fail.",
            odd={"^C in a loop": ("no prompt", "menu"), "^C at the prompt": ("no prompt", "menu")}),
    Program("guile", ["guile", "-q"], r"scheme@\(.*\).*>", expression="(+ 1000 @)",
            slow="(begin (sleep 3) (+ 1000 @))", function=FUNCTION_SCHEME,
            rows='(do ((i 1 (+ i 1))) ((> i 300)) (format #t "row ~a\\n" i))', error=("nope", "nbound variable"),
            loop=LOOP_SCHEME, leave=("(exit 3)\n", "exited=3"), odd={"^C at the prompt": ("no prompt", "silent")}),
    Program("sbcl", ["sbcl", "--noinform", "--no-userinit"], r"(\*|\d+\])", expression="(+ 1000 @)",
            slow="(progn (sleep 3) (+ 1000 @))",
            function="(defun f@ (x)\n  (let ((y (* x 2)))\n    (+ y 1)))\n\n(f@ @)\n",
            rows='(dotimes (i 300) (format t "row ~d~%" (1+ i)))', error=("nope", "unbound"), loop="(loop)",
            leave=("(sb-ext:exit :code 3)\n", "exited=3")),
    Program("gforth", ["gforth"], r"", expression="1000 @ + .", slow="3000 ms 1000 @ + .",
            function=": f@ ( x -- y )\n  2 *\n  1+\n;\n@ f@ .\n", rows=': r 301 1 do cr ." row " i . loop ; r',
            error=("nope", "Undefined word"), loop=": l begin again ; l", leave=("bye\n", "exited=0"),
            odd={"result": ("echo", "forth")}),
    Program("lua", ["lua5.4"], r">", expression="1000+@", slow="return os.execute('sleep 3') and 1000+@",
            function="function f(x)\n  local y = x * 2\n  return y + 1\nend\nf(@)\n",
            rows="for i = 1, 300 do print('row ' .. i) end", error=("nope()", "attempt to call"),
            loop="while true do end",
            odd={"paste": ("no result", "one command"), "^C at the prompt": ("signal=INT", "ends")}),
    Program("tclsh", ["tclsh"], r"%", expression="expr 1000+@", slow="after 3000; expr 1000+@",
            function="proc f {x} {\n  set y [expr {$x * 2}]\n  expr {$y + 1}\n}\nf @\n",
            rows='for {set i 1} {$i <= 300} {incr i} {puts "row $i"}', error=("nope", "invalid command name"),
            loop="while 1 {}",
            odd={"^C in a loop": ("signal=INT", "ends"), "^C at the prompt": ("signal=INT", "ends")}),
    Program("erl", ["erl"], r"\d+>", expression="1000+@.", slow="timer:sleep(3000), 1000+@.",
            function="F@ = fun(X) ->\n  Y = X * 2,\n  Y + 1\nend.\nF@(@).\n",
            rows='[io:format("row ~p~n", [I]) || I <- lists:seq(1, 300)], ok.', error=("1/0.", "arithmetic"),
            loop="(fun L() -> L() end)().", leave=("halt(3).\n", "exited=3"),
            odd={"busy": ("input", "threads"), "^C in a loop": ("no prompt", "menu"), "^C at the prompt": ("no prompt", "menu")}),
    Program("iex", ["iex"], r"iex\(\d+\)>", expression="1000+@", slow="Process.sleep(3000); 1000+@",
            function="f = fn x ->\n  y = x * 2\n  y + 1\nend\nf.(@)\n",
            rows='for i <- 1..300, do: IO.puts("row #{i}"); :done', error=("nope", "undefined"),
            loop="Stream.run(Stream.cycle([1]))", leave=("System.halt(3)\n", "exited=3"),
            odd={"busy": ("input", "threads"), "^C in a loop": ("no prompt", "menu"), "^C at the prompt": ("no prompt", "menu")}),
    Program("jshell", ["jshell", "-q"], r"jshell>", expression="1000+@", slow="Thread.sleep(3000); 1000+@",
            function="int f(int x) {\n  int y = x * 2;\n  return y + 1;\n}\nf(@)\n",
            rows='for (int i = 1; i <= 300; i++) System.out.println("row " + i)', error=("nope", "cannot find symbol"),
            loop="while (true) {}", odd={"busy": ("input", "threads")}),
    Program("racket", ["racket"], r">", expression="(+ 1000 @)", slow="(begin (sleep 3) (+ 1000 @))",
            function=FUNCTION_SCHEME, rows='(for ([i 300]) (printf "row ~a\\n" (add1 i)))',
            error=("nope", "undefined"), loop=LOOP_SCHEME, odd={"^C at the prompt": ("no prompt", "silent")}),
    Program("csi", ["csi", "-q"], r"#;\d+>", expression="(+ 1000 @)",
            slow='(begin (import (chicken process)) (system "sleep 3") (+ 1000 @))', function=FUNCTION_SCHEME,
            rows='(do ((i 1 (+ i 1))) ((> i 300)) (print "row " i))', error=("nope", "unbound variable"),
            loop=LOOP_SCHEME, leave=("(exit 3)\n", "exited=3")),
    Program("bc", ["bc", "-q"], r"", expression="1000+@", slow="for (i = 0; i < 3000000; i++) x = i; 1000+@",
            function="define f(x) {\n  auto y\n  y = x * 2\n  return y + 1\n}\nf(@)\n",
            rows='for (i = 1; i <= 300; i++) { print "row ", i, "\\n"; }', error=("1/0", "ivide by zero"),
            loop="while (1) {}"),
    Program("dc", ["dc"], r"", expression="1000 @+p", slow="!sleep 3; expr 1000 + @",
            function="[2*\n1\n+\n]sf\n@ lfxp\n", rows="1[[row ]ndp1+d301>l]dslx", error=("1 0/", "divide by zero"),
            loop="[lax]dsax", odd={"^C at the prompt": ("signal=INT", "ends")}),
    Program("perl -d", ["perl", "-de1"], r"DB<+\d+>+", expression="p 1000+@", slow="sleep 3; print 1000+@",
            function="sub f { my $x = shift; \\\n  my $y = $x * 2; \\\n  return $y + 1; \\\n}\np f(@)\n",
            rows='for (1..300) { print "row $_\\n" }', error=("nope()", "Undefined subroutine"), loop="while (1) {}",
            odd={"^C in a loop": ("busy", "debugger"), "^C at the prompt": ("no prompt", "silent")}),
]
