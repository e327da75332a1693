"""solve.py SOLVER SECONDS: reads names of SMT-LIB files, and answers each with a line: verdict, seconds, file."""
import sys
import time
from importlib.metadata import version

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}


def z3_check(limit):
    import z3

    def check(file):
        solver = z3.Solver()
        solver.set("timeout", 1000 * limit)
        solver.from_file(file)
        return str(solver.check())

    return check


def cvc5_check(limit):
    import cvc5

    def check(file):
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("tlimit-per", str(1000 * limit))
        parser = cvc5.InputParser(solver)
        parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, file)
        answer = ""
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return answer or "unknown"
            answer += command.invoke(solver, parser.getSymbolManager()).strip()

    return check


def bitwuzla_check(limit):
    import bitwuzla

    def check(file):
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, 1000 * limit)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(file, True)
        return str(parser.bitwuzla().check_sat()).lower().replace("result.", "")

    return check


name, seconds = sys.argv[1], int(sys.argv[2])
check = globals()[name + "_check"](seconds)
print(f"version {version(PACKAGES[name])}", flush=True)
for line in sys.stdin:
    file = line.rstrip("\n")
    start = time.monotonic()
    try:
        # cvc5 adds its reason to "unknown".
        verdict = check(file).split()[0]
    except Exception as error:
        verdict = "error:" + "_".join(str(error).split())[:200]
    print(f"{verdict} {time.monotonic() - start:.3f} {file}", flush=True)
