#!/usr/bin/env python3
"""Opens what osce exported in LibreOffice, headless, and compares every cell with what was written.

    spreadsheet.py FOLDER    the folder has NAME.csv files, and all.xlsx and results.xlsx with a sheet for each NAME

A CSV file has no types: a number of digits alone, such as a candidate's, is a number to a spreadsheet, and true stays a
word; in a workbook it is a truth value; a day or a time of day is text in a workbook and taken for one from a CSV file. So
all are compared by what they mean. A figure of a workbook has to be a number, and no cell may be a formula.
"""

import csv
import math
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
VALUES = ("value", "boolean-value", "date-value", "time-value")
TRUTHS = {"of:=TRUE()": "true", "of:=FALSE()": "false"}
# Comma, double quote, UTF-8, from the first line; texts stay texts, and what looks like a formula is taken for one.
READER = "CSV:44,34,76,1,,0,false,false,false,false,false,0,true"


def opened(folder, paths, reader=None):
    """Has LibreOffice read files, and yields of each its path and its sheets: name -> rows of (type, value, formula)."""
    command = ["soffice", f"-env:UserInstallation=file://{folder}/office", "--headless"]
    command += ["--infilter=" + reader] if reader else []
    out = folder / "read"
    done = subprocess.run(command + ["--convert-to", "fods", "--outdir", str(out)] + [str(path) for path in paths],
                          capture_output=True, text=True, timeout=1800)
    for path in paths:
        read = out / (path.stem + ".fods")
        if done.returncode or not read.exists():
            sys.exit(f"LibreOffice did not read {path.name}: {done.stdout}{done.stderr}")
        yield path, sheets_of(read)
        read.unlink()


def sheets_of(read):
    sheets = {}
    for table in ElementTree.parse(read).iter(TABLE + "table"):
        rows = []
        for row in table.iter(TABLE + "table-row"):
            cells = []
            for cell in row:
                if cell.tag not in (TABLE + "table-cell", TABLE + "covered-table-cell"):
                    continue
                count = int(cell.get(TABLE + "number-columns-repeated", "1"))
                kind = cell.get(OFFICE + "value-type", "")
                if kind == "string" or not kind:
                    value = "\n".join(text_of(line) for line in cell.findall(TEXT + "p"))
                else:
                    value = next((cell.get(OFFICE + of) for of in VALUES if cell.get(OFFICE + of)), None)
                found = (kind, value, cell.get(TABLE + "formula"))
                if count > 1000 and not kind:
                    continue
                cells += [found] * count
            repeated = int(row.get(TABLE + "number-rows-repeated", "1"))
            if repeated < 1000:
                rows += [cells] * repeated
        while rows and not any(kind for kind, _, _ in rows[-1]):
            rows.pop()
        sheets[table.get(TABLE + "name")] = rows
    return sheets


def text_of(element):
    """The text of a paragraph; several spaces and tabs are elements there."""
    words = element.text or ""
    for child in element:
        if child.tag == TEXT + "s":
            words += " " * int(child.get(TEXT + "c", "1"))
        elif child.tag == TEXT + "tab":
            words += "\t"
        elif child.tag == TEXT + "line-break":
            words += "\n"
        else:
            words += text_of(child)
        words += child.tail or ""
    return words


def same(written, kind, value):
    if kind in ("string", ""):
        plain = written[1:] if written[:1] == "'" and written[1:2] in ("=", "+", "-", "@", "\t", "\r", "\n") else written
        # LibreOffice ends a line in a cell with a line feed alone.
        folded = [text.replace("\r\n", "\n").replace("\r", "\n") for text in (written, plain)]
        return (value or "") in (written, plain, *folded)
    if kind == "boolean":
        return written.lower() == value
    if kind == "date":
        return written.replace(" ", "T").removesuffix("Z") in (value, value.removesuffix("T00:00:00"))
    if kind == "time":
        return value.startswith("PT" + "H".join(written.split(":")[:2]) + "M")
    try:
        # LibreOffice writes fifteen digits of a number.
        return kind == "float" and math.isclose(float(written), float(value), rel_tol=1e-14)
    except ValueError:
        return False


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def figures(written):
    """The columns that hold numbers alone, some of them with a decimal point: in a workbook each has to be a number."""
    columns = set()
    for column in range(len(written[0])):
        values = [row[column] for row in written[1:] if row[column]]
        if any("." in value for value in values) and all(number(value) is not None for value in values):
            columns.add(column)
    return columns


def compare(name, written, read, faults, typed=False):
    numbers = figures(written) if typed else set()
    if len(written) != len(read):
        faults.append(f"{name}: {len(written)} rows written, {len(read)} read")
    count = 0
    for line, (one, other) in enumerate(zip(written, read), 1):
        other = other + [("", "", None)] * (len(one) - len(other))
        for column, cell in enumerate(one):
            kind, value, formula = other[column]
            count += 1
            # A truth value of a workbook is kept by LibreOffice as a formula without anything in it to run.
            if formula in TRUTHS:
                kind, value, formula = "boolean", TRUTHS[formula], None
            if formula is not None:
                faults.append(f"{name} row {line}, {written[0][column]}: a formula: {formula}")
            elif not same(cell, kind, value):
                faults.append(f"{name} row {line}, {written[0][column]}: {cell!r} written, {kind} {value!r} read")
            elif column in numbers and line > 1 and cell and kind != "float":
                faults.append(f"{name} row {line}, {written[0][column]}: the number {cell} is no number but {kind}")
    return count


def main(folder):
    faults, count = [], 0
    # The test itself: an unguarded formula has to be seen as one.
    control = folder / "control.csv"
    written = {}
    for path in sorted(folder.glob("*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            written[path.stem] = list(csv.reader(file))
    control.write_text("a\n=1+1\n", encoding="utf-8")
    for path, sheets in opened(folder, sorted(folder.glob("*.csv")), READER):
        rows = next(iter(sheets.values()))
        if path != control:
            count += compare(path.name, written[path.stem], rows, faults)
        elif not any(formula for row in rows for _, _, formula in row):
            sys.exit("LibreOffice took an unguarded =1+1 for a text: the guards cannot be tested so")
    for path, sheets in opened(folder, [folder / "all.xlsx", folder / "results.xlsx"]):
        for name, rows in sheets.items():
            count += compare(f"{path.name} {name}", written.pop(name), rows, faults, typed=True)
    faults += [f"{name}: no sheet in a workbook" for name in written]
    seen = set()
    for fault in faults:
        # One of each kind is enough to see what is wrong.
        kind = (fault.split(" row ")[0], fault.split(": ")[0].split(", ")[-1])
        if kind not in seen and len(seen) < 20:
            seen.add(kind)
            print(fault)
    what = "as they were written, none a formula" if not faults else f"and {len(faults)} faults found"
    print(f"{count} cells read by LibreOffice {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
