#!/usr/bin/env python3
"""Computes an exam's results a second time, from three exports alone, and compares them with `osce results --json`.

    osce export marks --out marks.csv
    osce export rulings --out rulings.csv
    osce export attendance --out attendance.csv
    osce results --json > results.json
    Tools/recompute-results.py marks.csv rulings.csv attendance.csv results.json

Nothing but Python's standard library is used, and nothing of the results is read before they are compared. An option
of `osce results` is given here as well, as --set KEY=VALUE, such as --set method=borderlineGroup. Exit 0: all figures
agree to 1e-9; 1: they do not, and each difference is printed. A station at which everybody was absent and nothing was
marked has no row among the marks: here nobody is due there.
"""

import csv
import json
import math
import sys
from collections import defaultdict

NEAR = 1e-9
# Of whom nothing that was marked is the station's.
NOT_THERE = ("absent", "excused", "candidateExcluded")


def number(text):
    return float(text) if text else None


def plain(text):
    """A text without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in "=+-@\t\r" else text


def read(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return [{name: plain(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def mean(values):
    return math.fsum(values) / len(values) if values else None


def squares(values):
    centre = mean(values)
    return math.fsum((value - centre) ** 2 for value in values)


def deviation(values):
    return math.sqrt(squares(values) / (len(values) - 1)) if len(values) > 1 else None


def median(values):
    ordered, half = sorted(values), len(values) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def flat(values):
    return not values or max(values) - min(values) <= NEAR


# ---- The exam's choices


def choices(rulings, options):
    policy = {
        "method": "borderlineRegression", "borderline": None, "borderlineBand": 0, "sheets": "signed", "blanks": "zero",
        "doubleMarks": "mean", "missing": "incomplete", "sem": "alpha", "k": 1, "minimumStations": "none",
        "critical": {"effect": "exam", "allowed": 0}, "rounding": {"mode": "none", "decimals": 1},
        "flags": {}, "stations": {}, "feedback": {},
    }
    exclude = []

    def apply(document):
        for name, value in document.items():
            if name == "stations":
                for code, chosen in value.items():
                    policy["stations"].setdefault(code, {}).update(chosen)
            elif name == "exclude":
                exclude.extend(value)
            elif isinstance(policy.get(name), dict):
                policy[name].update(value)
            else:
                policy[name] = value

    for row in rulings:
        if row["kind"] == "policy":
            apply(json.loads(row["choice"]))
        elif row["kind"] in ("exclusion", "excuse") and not row["sheet"]:
            session = (row["date"] + " " + row["start"]).strip()
            found = {"station": row["station"], "item": row["item"], "circuit": row["circuit"], "session": session,
                     "candidate": row["student_number"]}
            exclude.append({name: value for name, value in found.items() if value})
    apply(options)
    policy["exclude"] = exclude
    policy["borderlineForAll"] = options.get("borderline")
    return policy


def fits(exclusion, station, circuit, session, candidate):
    return (exclusion.get("station") == station and exclusion.get("circuit", circuit) == circuit
            and exclusion.get("session", session) == session and exclusion.get("candidate", candidate) == candidate)


def rounded(policy, value):
    rule = policy["rounding"]
    factor = 10 ** rule["decimals"]
    if rule["mode"] == "nearest":
        return math.floor(value * factor + 0.5 + NEAR) / factor
    if rule["mode"] == "up":
        return math.ceil(value * factor - NEAR) / factor
    return math.floor(value * factor + NEAR) / factor if rule["mode"] == "down" else value


def reaches(policy, value, cut):
    return rounded(policy, value) >= rounded(policy, cut) - NEAR


# ---- From items to a score at each station


def used_rows(rows):
    """A sheet's items without those of the second and later copies of a section in which nothing is answered."""
    used = {(row["section"], row["copy"]) for row in rows if row["where"] != "empty"}
    return [row for row in rows if row["copy"] == "1" or (row["section"], row["copy"]) in used]


def left_out(key, policy, place):
    """Whether an item counts for nothing: it is tried out, or left out there."""
    station, circuit, session, candidate = place
    return (key in policy["stations"].get(station, {}).get("pilotItems", [])
            or any(e.get("item") == key and fits(e, station, circuit, session, candidate) for e in policy["exclude"]))


def sheet_score(rows, policy, place):
    points = most = blanks = unable = 0
    for row in used_rows(rows):
        key = row["item_key"]
        if row["role"] != "item" or not row["maximum"] or left_out(key, policy, place):
            continue
        if row["unable"] == "true":
            unable += 1
            continue
        blank = row["value"] == ""
        blanks += blank
        if blank and policy["blanks"] == "leftOut":
            continue
        points += number(row["value"]) or 0
        most += float(row["maximum"])
    why = "blankItem" if policy["blanks"] == "incomplete" and blanks > 0 else "nothingScored" if most <= NEAR else None
    return {"points": points, "maximum": most, "why": why, "blanks": blanks, "unable": unable}


def grade_of(rows):
    """A sheet's global rating, or why there is none."""
    ratings = [row for row in rows if row["role"] == "global"]
    if not ratings:
        return None, "noGlobalItem"
    if ratings[0]["unable"] == "true":
        return None, "gradeUnable"
    return (float(ratings[0]["value"]), None) if ratings[0]["value"] else (None, "gradeBlank")


def critical_states(rows, policy, place):
    """Of each critical item: failed, blank or unable; of several copies what matters most."""
    weight = {"failed": 3, "blank": 1, "unable": 0}
    found = {}
    for row in used_rows(rows):
        if row["critical"] != "true" or left_out(row["item_key"], policy, place):
            continue
        value = number(row["value"])
        if row["unable"] == "true":
            state = "unable"
        elif value is None:
            state = "blank"
        else:
            least = number(row["lower_threshold"])
            least = number(row["threshold"]) if least is None else least
            if least is not None:
                state = "failed" if value < least - NEAR else None
            else:
                state = "failed" if row["minimum"] and value <= float(row["minimum"]) + NEAR else None
        key = row["item_key"]
        if state and (key not in found or weight[found[key]] < weight[state]):
            found[key] = state
    return found


def joined_critical(seats, rule):
    if not seats:
        return {}
    if rule == "first" or len(seats) == 1:
        return seats[0]
    joined = {}
    for key in {key for seat in seats for key in seat}:
        states = [seat.get(key) for seat in seats]
        known = [state for state in states if state]
        if all(state == "failed" for state in states):
            joined[key] = "failed"
        elif all(state == "unable" for state in known):
            joined[key] = "unable"
        elif "failed" not in known and "blank" in known:
            joined[key] = "blank"
        else:
            joined[key] = "disputed"
    return joined


def of_seat(sheets, policy, place):
    """What one marker gave: score, grade, points, maximum, forms, assessor, when signed, critical items."""
    held, lacks = [], None
    for rows in sheets:
        answered = any(row["where"] != "empty" for row in rows)
        is_void = not rows[0]["sheet"] or rows[0]["sheet"] in policy["excludedSheets"]
        if is_void or not (rows[0]["signed_at"] or policy["sheets"] == "held" and answered):
            lacks = lacks or ("noSheet" if is_void or not answered else "unsigned")
            continue
        held.append(rows)
    grades = [grade_of(rows) for rows in held]
    scores = [sheet_score(rows, policy, place) for rows in held]
    none = [why for _, why in grades if why]
    seat = {"score": None, "grade": mean([grade for grade, _ in grades if grade is not None]),
            "noGrade": next((why for why in none if why != "noGlobalItem"), "noGlobalItem") if held else None,
            "points": math.fsum(score["points"] for score in scores),
            "maximum": math.fsum(score["maximum"] for score in scores),
            "blanks": sum(score["blanks"] for score in scores), "unable": sum(score["unable"] for score in scores),
            "held": bool(held), "sheets": {rows[0]["form"]: rows for rows in held},
            "forms": tuple(rows[0]["form"] for rows in sheets), "critical": {}}
    names = defaultdict(int)
    for row in held[0] if held else sheets[0]:
        if row["assessor"]:
            names[row["assessor"]] += 1 if row["where"] != "empty" else 0.001
    seat["assessor"] = max(sorted(names), key=lambda name: names[name]) if names else None
    seat["signed"] = max((rows[0]["signed_at"] for rows in held), default="")
    if not held:
        seat["why"] = lacks
    else:
        # A sheet with nothing scored takes nothing from the others of its marker.
        whys = [score["why"] for score in scores if score["why"]]
        whys = [why for why in whys if why != "nothingScored" or seat["maximum"] <= NEAR]
        seat["why"] = "formMissing" if lacks else whys[0] if whys else None
        if not seat["why"]:
            seat["score"] = 100 * seat["points"] / seat["maximum"]
        for rows in held:
            for key, state in critical_states(rows, policy, place).items():
                seat["critical"].setdefault(key, state)
    return seat


def of_place(seats, policy, ruling, margin):
    """What a candidate has at a station, of one marker or of several; `seats` is by name, the lead's first."""
    names = list(seats)
    rule, chosen = policy["doubleMarks"], list(seats.values())
    named = ruling and ruling["choice"] in seats and seats[ruling["choice"]]["score"] is not None
    if named:
        rule, chosen = "first", [seats[ruling["choice"]]]
    elif ruling and ruling["choice"] == "mean":
        rule = "mean"
    scored = [seat for seat in chosen if seat["score"] is not None]
    counted = scored[:1] if rule == "first" else scored
    score = mean([seat["score"] for seat in counted])
    grade = mean([seat["grade"] for seat in (counted if rule == "first" else chosen) if seat["grade"] is not None])
    reason = next((seat["why"] for seat in chosen if seat["why"] not in (None, "noSheet")), "noSheet") if score is None else None
    no_grade = (counted or chosen)[0]["noGrade"] if grade is None else None
    if rule == "adjudicated" and len(scored) > 1:
        values = [seat["score"] for seat in scored]
        if max(values) - min(values) > margin + NEAR or len({seat["forms"] for seat in scored}) > 1:
            score, reason = None, "notAdjudicated"
    if ruling and ruling["choice"] == "typed":
        score, reason = float(ruling["score"]), None
        grade = float(ruling["grade"]) if ruling["grade"] else grade
    found = [seats[name]["critical"] for name in names if seats[name]["held"]]
    if ruling and ruling["choice"] in seats and seats[ruling["choice"]]["held"]:
        found = [seats[ruling["choice"]]["critical"]]
    assessors = sorted({seat["assessor"] for seat in counted if seat["assessor"]})
    return {"score": score, "grade": grade, "critical": joined_critical(found, policy["doubleMarks"]),
            "reason": reason, "noGrade": no_grade if grade is None else None, "seats": list(seats.values()), "margin": margin,
            "blanks": sum(seat["blanks"] for seat in (counted if rule == "first" and counted else chosen)),
            "unable": sum(seat["unable"] for seat in counted),
            "assessor": "+".join(assessors) or None, "held": any(seat["held"] for seat in seats.values()),
            "signed": max(seat["signed"] for seat in seats.values())}


def scores(marks, rulings, attendance, policy):
    """Candidate -> station -> what counts there; and what is known of each station."""
    policy["excludedSheets"] = {row["sheet"] for row in rulings if row["kind"] == "exclusion" and row["sheet"]}
    stations, entries = {}, defaultdict(dict)
    pilots = defaultdict(set)
    for row in marks:
        if row["planned"] == "true":
            pilots[row["station"]].add((row["form"], row["pilot"] == "true"))
    # Where everybody was recorded absent no sheet is expected, but those that are held say what station it is.
    open_stations = {row["station"] for row in attendance if row["cancelled"] != "true"}
    deserted = open_stations - set(pilots)
    for row in marks:
        if row["station"] in deserted:
            pilots[row["station"]].add((row["form"], row["pilot"] == "true"))
    for row in marks:
        if row["planned"] != "true" and row["station"] not in deserted:
            continue
        all_pilot = all(pilot for _, pilot in pilots[row["station"]])
        station = stations.setdefault(row["station"], {"weight": None, "borderline": None, "pilot": all_pilot})
        if row["pilot"] == "true" and not all_pilot:
            continue
        # Of several sheets the first one that says something says it.
        if row["weight"] and station["weight"] in (None, 1.0):
            station["weight"] = float(row["weight"])
        if row["borderline"] and station["borderline"] is None:
            station["borderline"] = float(row["borderline"])
        if row["planned"] != "true":
            continue
        place = (row["station"], row["circuit"], row["date"] + " " + row["start"], row["student_number"])
        entry = entries[(place, row["timetable"], row["round"])]
        entry.setdefault(row["seat"], {}).setdefault((row["form"], row["sheet"]), []).append(row)
    adjudications, waived = [], set()
    for row in rulings:
        if row["kind"] == "adjudication":
            adjudications.append(row)
        if row["kind"] == "waiver" and row["choice"] == "critical":
            waived.add((row["station"], row["student_number"], row["item"]))
    people = defaultdict(dict)
    for (place, _, _), seats in entries.items():
        station, circuit, session, candidate = place
        ruling = None
        for row in adjudications:
            if (row["station"] == station and row["student_number"] == candidate
                    and row["circuit"] in ("", circuit) and (row["date"] + " " + row["start"]).strip() in ("", session)):
                ruling = row
        margin = next(float(row["margin"]) for rows in seats.values() for sheet in rows.values() for row in sheet)
        found = of_place({name: of_seat(list(sheets.values()), policy, place) for name, sheets in seats.items()},
                         policy, ruling, margin)
        found.update(circuit=circuit, session=session)
        found["critical"] = {key: state for key, state in found["critical"].items()
                             if (station, candidate, key) not in waived}
        known = people[candidate].get(station)
        # Of two attempts the one with a sheet that counts, and of two such the one signed later.
        if not known or (found["held"], found["signed"]) > (known["held"], known["signed"]):
            people[candidate][station] = found
    # Where a candidate was planned and has no sheet that is expected: recorded absent, or the station was cancelled. Of two
    # such entries at one station the one that was held is due.
    for row in sorted(attendance, key=lambda row: row["cancelled"] == "true"):
        places = people[row["student_number"]]
        if row["station"] in stations and row["station"] not in places:
            places[row["station"]] = {
                "score": None, "grade": None, "critical": {}, "circuit": row["circuit"],
                "session": row["date"] + " " + row["start"], "assessor": None, "held": False, "signed": "", "noGrade": None,
                "reason": "absent" if row["present"] == "false" else "noSheet", "seats": [], "blanks": 0, "unable": 0,
                "cancelled": row["cancelled"] == "true"}
    add_excused(stations, people, attendance, policy)
    return stations, people


def add_excused(stations, people, attendance, policy):
    """Who is excused by number at a station of their session to which they never come has it in their plan."""
    rings, sessions = defaultdict(set), defaultdict(list)
    for row in attendance:
        if row["station"] in stations:
            session = (row["circuit"], row["date"] + " " + row["start"])
            rings[session].add(row["station"])
            sessions[row["student_number"]].append(session)
    for excuse in policy["exclude"]:
        station, candidate = excuse.get("station"), excuse.get("candidate")
        if "item" in excuse or not station or candidate not in people or station in people[candidate]:
            continue
        for circuit, session in sessions[candidate]:
            if station in rings[circuit, session] and fits(excuse, station, circuit, session, candidate):
                people[candidate][station] = {
                    "score": None, "grade": None, "critical": {}, "circuit": circuit, "session": session,
                    "assessor": None, "held": False, "signed": "", "noGrade": None, "reason": "excused", "seats": [],
                    "blanks": 0, "unable": 0}
                break


# ---- Figures


def regression(pairs, x0):
    names = ["slope", "intercept", "r2", "residualSd", "cut", "seCut"]
    none = dict.fromkeys(names)
    m = len(pairs)
    if m < 3 or flat([x for x, _ in pairs]):
        return none
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    if flat(ys):
        level = mean(ys)
        return dict(zip(names, [0, level, None, 0, level, 0]))
    mx, my = mean(xs), mean(ys)
    sxx, syy = squares(xs), squares(ys)
    sxy = math.fsum((x - mx) * (y - my) for x, y in pairs)
    slope = sxy / sxx
    intercept = my - slope * mx
    residual = math.sqrt(math.fsum((y - intercept - slope * x) ** 2 for x, y in pairs) / (m - 2))
    return dict(zip(names, [slope, intercept, sxy * sxy / (sxx * syy), residual, intercept + slope * x0,
                            residual * math.sqrt(1 / m + (x0 - mx) ** 2 / sxx)]))


def contrasting(low, high):
    if min(len(low), len(high)) < 2:
        return None
    m1, m2, s1, s2 = mean(low), mean(high), deviation(low), deviation(high)
    if flat(low) or flat(high) or m1 >= m2 - 0:
        return None
    if abs(s1 - s2) <= 1e-9 * max(s1, s2):
        return (m1 + m2) / 2
    a = 1 / s1 ** 2 - 1 / s2 ** 2
    b = -2 * (m1 / s1 ** 2 - m2 / s2 ** 2)
    c = m1 ** 2 / s1 ** 2 - m2 ** 2 / s2 ** 2 + 2 * math.log(s1 / s2)
    inside = b * b - 4 * a * c
    if inside < 0:
        return None
    q = -0.5 * (b + math.copysign(math.sqrt(inside), b))
    roots = [root for root in (q / a, c / q if q else None) if root is not None and m1 <= root <= m2]
    return roots[0] if roots else None


def between(groups):
    """Groups of scores by name -> msBetween, msWithin, eta2, varianceComponentPct."""
    names = ["msBetween", "msWithin", "eta2", "varianceComponentPct"]
    scores = [score for group in groups.values() for score in group]
    n, g = len(scores), len(groups)
    if g < 2 or g == n or flat(scores):
        return dict.fromkeys(names)
    centre = mean(scores)
    ssb = math.fsum(len(group) * (mean(group) - centre) ** 2 for group in groups.values())
    ssw = math.fsum(squares(group) for group in groups.values())
    msb, msw = ssb / (g - 1), ssw / (n - g)
    if all(flat(group) for group in groups.values()):
        return dict(zip(names, [msb, 0, 1, 100]))
    n0 = (n - math.fsum(len(group) ** 2 for group in groups.values()) / n) / (g - 1)
    part = max(0, (msb - msw) / n0)
    return dict(zip(names, [msb, msw, ssb / (ssb + ssw), 100 * part / (part + msw)]))


def alpha_of(rows):
    k = len(rows[0]) if rows else 0
    if k < 2 or len(rows) < 2:
        return None
    totals = [math.fsum(row) for row in rows]
    if flat(totals):
        return None
    parts = math.fsum(squares([row[i] for row in rows]) for i in range(k))
    # Rounding would leave more than 1 of stations that agree wholly.
    return min(1, k / (k - 1) * (1 - parts / squares(totals)))


def correlation(xs, ys):
    if len(xs) < 2 or flat(xs) or flat(ys):
        return None
    mx, my = mean(xs), mean(ys)
    return math.fsum((x - mx) * (y - my) for x, y in zip(xs, ys)) / math.sqrt(squares(xs) * squares(ys))


# ---- Two markers


def twins(first, second, place, policy, candidate, code):
    """The scored items of two sheets of one form that are the same item of the same copy."""
    scene = (code, place["circuit"], place["session"], candidate)
    others = {(row["section"], row["copy"], row["item_key"]): row for row in used_rows(second)}
    for row in used_rows(first):
        other = others.get((row["section"], row["copy"], row["item_key"]))
        if other and row["role"] == "item" and row["maximum"] and not left_out(row["item_key"], policy, scene):
            yield row, other


def agreements(code, places, policy, people):
    """How far the lead's seat agrees with each other one, on items, global ratings and scores."""
    pairs = {"items": [], "grade": [], "score": []}
    left = {name: {"blank": 0, "unable": 0, "otherForm": 0} for name in pairs}
    candidates = {id(held[code]): candidate for candidate, held in people.items() if code in held}
    found = False
    for place in places:
        if place["reason"] in NOT_THERE or len(place["seats"]) < 2:
            continue
        first = place["seats"][0]
        for second in place["seats"][1:]:
            # What is signed of both alone; a marker's score and form count once all that counts of the two is signed.
            signed = [{form: rows for form, rows in seat["sheets"].items() if rows[0]["signed_at"]}
                      for seat in (first, second)]
            whole = all(seat["held"] and len(sheets) == len(seat["sheets"]) and
                        (seat["score"] is not None or seat["grade"] is not None)
                        for seat, sheets in zip((first, second), signed))
            if not signed[0] or not signed[1]:
                continue
            found = True
            if first["forms"] != second["forms"]:
                for name, counts in left.items():
                    counts["otherForm"] += whole or name == "items"
                continue
            if whole and None in (first["score"], second["score"]):
                left["score"]["blank"] += 1
            elif whole:
                pairs["score"].append((first["score"], second["score"], first["assessor"], second["assessor"],
                                       place["margin"]))
            for form, rows in signed[0].items():
                if form not in signed[1]:
                    continue
                (one, why), (other, why_other) = grade_of(rows), grade_of(signed[1][form])
                if whole and one is not None and other is not None:
                    pairs["grade"].append((one, other))
                elif whole and (why, why_other) != ("noGlobalItem", "noGlobalItem"):
                    left["grade"]["unable" if "gradeUnable" in (why, why_other) else "blank"] += 1
                for row, twin in twins(rows, signed[1][form], place, policy, candidates[id(place)], code):
                    if "true" in (row["unable"], twin["unable"]):
                        left["items"]["unable"] += 1
                    elif row["value"] and twin["value"]:
                        pairs["items"].append((float(row["value"]), float(twin["value"])))
                    else:
                        left["items"]["blank"] += 1
    if not found:
        return None
    return {name: agreement(pairs[name], left[name], name == "score") for name in pairs}


def agreement(pairs, left, is_score):
    n = len(pairs)
    apart = [pair[0] - pair[1] for pair in pairs]
    found = dict.fromkeys(["exact", "withinOne", "kappa", "weightedKappa", "beyondMargin", "icc", "icc2"])
    found.update(n=n, meanDifference=mean(apart), sdDifference=deviation(apart), leftOut=left)
    if n:
        found["exact"] = sum(abs(d) <= NEAR for d in apart) / n
        found["withinOne"] = sum(abs(d) <= 1 + NEAR for d in apart) / n
    if is_score:
        found["beyondMargin"] = sum(abs(pair[0] - pair[1]) > pair[4] + NEAR for pair in pairs)
        if n > 1:
            between_pairs = 2 * squares([(pair[0] + pair[1]) / 2 for pair in pairs]) / (n - 1)
            within = math.fsum(d * d for d in apart) / (2 * n)
            if between_pairs + within > 0:
                found["icc"] = (between_pairs - within) / (between_pairs + within)
            if len({pair[2:4] for pair in pairs}) == 1 and None not in pairs[0][2:4]:
                error, columns = squares(apart) / (2 * (n - 1)), n * mean(apart) ** 2 / 2
                whole = between_pairs + error + 2 * (columns - error) / n
                found["icc2"] = (between_pairs - error) / whole if whole > 0 else None
    elif n:
        ones, others = defaultdict(int), defaultdict(int)
        for one, other in pairs:
            ones[one] += 1
            others[other] += 1
        values = set(ones) | set(others)
        chance = sum(ones[value] * others[value] for value in values) / n**2
        found["kappa"] = (found["exact"] - chance) / (1 - chance) if 1 - chance > 1e-12 else None
        expected = math.fsum((a - b) ** 2 * ones[a] * others[b] for a in values for b in values) / n**2
        if expected > 0:
            found["weightedKappa"] = 1 - math.fsum(d * d for d in apart) / n / expected
    return found


def results(marks, rulings, attendance, policy):
    stations, people = scores(marks, rulings, attendance, policy)
    left = {e["candidate"] for e in policy["exclude"] if "candidate" in e and "station" not in e}
    for candidate, places in people.items():
        for code, place in places.items():
            place["excused"] = place.get("cancelled", False) or any(
                "item" not in e and set(e) & {"circuit", "session", "candidate"}
                and fits(e, code, place["circuit"], place["session"], candidate) for e in policy["exclude"])
            if candidate in left or place["excused"]:
                place["score"], place["critical"] = None, {}
                place["reason"] = "candidateExcluded" if candidate in left else "excused"
            if place["score"] is None:
                place["grade"] = None
    found = {"stations": {}, "candidates": {}, "sets": {}, "people": people}
    for code, station in stations.items():
        chosen = policy["stations"].get(code, {})
        x0 = next(value for value in (policy["borderlineForAll"], chosen.get("borderline"), station["borderline"],
                                      policy["borderline"], 2) if value is not None)
        excluded = any(e.get("station") == code and not set(e) & {"item", "circuit", "session", "candidate"}
                       for e in policy["exclude"])
        weight = next(value for value in (chosen.get("weight"), station["weight"], 1) if value is not None)
        pilot = chosen.get("pilot", station["pilot"])
        here = [places[code] for places in people.values() if code in places and places[code]["score"] is not None]
        ys = [place["score"] for place in here]
        pairs = [(place["grade"], place["score"]) for place in here if place["grade"] is not None]
        line = regression(pairs, x0)
        band = policy["borderlineBand"]
        group = [y for x, y in pairs if abs(x - x0) <= band + NEAR]
        low = [y for x, y in pairs if x < x0 - band - NEAR]
        high = [y for x, y in pairs if x > x0 + band + NEAR]
        contrast = contrasting(low, high)
        method = "fixed" if chosen.get("cut") is not None else policy["method"]
        cut = {"fixed": chosen.get("cut"), "borderlineRegression": line["cut"], "borderlineGroup": mean(group),
               "borderlineGroupMedian": median(group), "contrastingGroups": contrast}[method]

        def below(score):
            return not reaches(policy, score, cut)

        figures = dict(line, n=len(ys), pairs=len(pairs), mean=mean(ys), sd=deviation(ys), median=median(ys),
                       min=min(ys, default=None), max=max(ys, default=None), cut=cut, weight=weight, borderline=x0,
                       pilot=pilot, excluded=excluded, counted=not pilot and not excluded and weight > 0,
                       seCut=line["seCut"] if method == "borderlineRegression" else None, cutMethod=method)
        figures["failed"] = None if cut is None else sum(below(y) for y in ys)
        figures["gradedPassBelowCut"] = None if cut is None else sum(x > x0 + NEAR and below(y) for x, y in pairs)
        figures["gradedFailAboveCut"] = None if cut is None else sum(x < x0 - NEAR and not below(y) for x, y in pairs)
        figures["borderlineGroup"] = {"n": len(group), "mean": mean(group), "median": median(group)}
        figures["contrastingGroups"] = {
            "failing": {"n": len(low), "mean": mean(low), "sd": deviation(low)},
            "passing": {"n": len(high), "mean": mean(high), "sd": deviation(high)}, "cut": contrast}
        everybody = [(candidate, places[code]) for candidate, places in people.items() if code in places]
        figures["blanks"] = sum(place["blanks"] for _, place in everybody
                                if place["reason"] not in NOT_THERE)
        figures["unable"] = sum(place["unable"] for place in here)
        figures["leftOut"] = sorted(
            [candidate, place["reason"] or place["noGrade"]] for candidate, place in everybody
            if place["reason"] != "excused" and (place["score"] is None or place["grade"] is None))
        figures["agreement"] = agreements(code, [place for _, place in everybody], policy, people)
        figures["between"] = {}
        for name in ("circuit", "session", "assessor"):
            groups = defaultdict(list)
            for place in here:
                if place[name] is not None:
                    groups[place[name]].append(place["score"])
            figures["between"][name] = between(groups)
        found["stations"][code] = figures
    counted = [code for code, station in found["stations"].items() if station["counted"]]
    members = defaultdict(list)
    for candidate, places in people.items():
        own = tuple(code for code in counted if code in places)
        if own and candidate not in left:
            members[own].append(candidate)
    for own, candidates in members.items():
        found["sets"][own] = exam_figures(own, candidates, people, found["stations"], policy)
    for code, station in found["stations"].items():
        sets = [own for own in members if code in own]
        figures = found["sets"][sets[0]] if len(sets) == 1 else None
        place = sets[0].index(code) if figures else None
        station["alphaIfDeleted"] = figures["ifDeleted"][place] if figures else None
        station["restCorrelation"] = figures["rest"][place] if figures else None
    for candidate, places in people.items():
        own = tuple(code for code in counted if code in places)
        found["candidates"][candidate] = judged(candidate, places, own, found, policy, candidate in left)
    ranked = sorted((c["mean"] for c in found["candidates"].values() if c["outcome"] in ("pass", "fail")), reverse=True)
    for candidate in found["candidates"].values():
        candidate["rank"] = None
        if candidate["outcome"] in ("pass", "fail"):
            candidate["rank"] = 1 + sum(other > candidate["mean"] + NEAR for other in ranked)
    return found


def least_stations(rule, predicted, k, due):
    if rule == "none":
        return None
    if rule == "predicted":
        return None if predicted is None else min(max(math.floor(predicted + 0.5 + NEAR), 0), k)
    if str(rule).endswith("%"):
        return math.ceil(float(rule[:-1]) * due / 100 - NEAR)
    return int(rule)


def exam_figures(own, candidates, people, stations, policy):
    weights = [stations[code]["weight"] for code in own]
    total_weight = math.fsum(weights)
    rows = []
    for candidate in candidates:
        row = [people[candidate][code]["score"] for code in own]
        if all(score is not None for score in row):
            rows.append(row)
    weighted = [[score * weight for score, weight in zip(row, weights)] for row in rows]
    totals = [math.fsum(row) for row in weighted]
    k = len(own)
    alpha = alpha_of(weighted)
    sd = deviation(totals)
    if sd is not None and flat(totals):
        sd = 0
    figures = {"nComplete": len(rows), "k": k, "weights": total_weight, "alpha": alpha, "sdTotal": sd}
    if k < 2 or sd is None:
        sem = None
    elif flat(totals):
        sem = 0
    else:
        sem = sd * math.sqrt(1 - max(0, alpha))
    figures["semTotal"] = sem
    figures["semMean"] = None if sem is None else sem / total_weight
    cuts = [stations[code]["cut"] for code in own]
    errors = [stations[code]["seCut"] for code in own]
    cut = None if None in cuts else math.fsum(w * c for w, c in zip(weights, cuts)) / total_weight
    rmse = None
    if cut is not None and None not in errors:
        rmse = math.sqrt(math.fsum((w * e) ** 2 for w, e in zip(weights, errors))) / total_weight
    error = figures["semMean"] if policy["sem"] == "alpha" else rmse
    plus = None
    if cut is not None:
        plus = cut if policy["k"] == 0 else None if error is None else cut + policy["k"] * error
    predicted = None
    means = [total / total_weight for total in totals]
    if cut is not None and len(rows) >= 3 and not flat(means):
        passed = [sum(reaches(policy, score, c) for score, c in zip(row, cuts)) for row in rows]
        mx, my = mean(means), mean(passed)
        slope = math.fsum((x - mx) * (y - my) for x, y in zip(means, passed)) / squares(means)
        predicted = my + slope * (cut - mx)
    figures.update(cutMean=cut, rmse=rmse, cutPlusSem=plus, predicted=predicted, error=error, meanOfMeans=mean(means),
                   sdOfMeans=deviation(means),
                   minimumStations=least_stations(policy["minimumStations"], predicted, k, k))
    figures["ifDeleted"], figures["rest"] = [], []
    for i in range(k):
        without = [row[:i] + row[i + 1:] for row in weighted]
        figures["ifDeleted"].append(alpha_of(without) if k > 2 else None)
        figures["rest"].append(
            correlation([row[i] for row in weighted], [math.fsum(row) for row in without]) if k > 1 else None)
    return figures


OUTCOMES = {
    "excluded": {"candidateExcluded"},
    "incomplete": {"missingStation", "noCut", "noSem", "noPrediction", "criticalBlank", "criticalDisputed", "noStations"},
    "fail": {"belowCut", "tooFewStations", "criticalFailure"},
}


def judged(candidate, places, own, found, policy, is_excluded):
    stations, figures = found["stations"], found["sets"].get(own)
    due = [code for code in own if not places[code]["excused"]] if not is_excluded else []
    held = [code for code in due if places[code]["score"] is not None]
    missing = len(held) < len(due)
    judged_by = held if policy["missing"] == "prorate" else due
    why = {"candidateExcluded"} if is_excluded else set()
    result = {"total": None, "mean": None, "cut": None, "cutPlusSem": None, "stationsDue": len(judged_by)}
    effect = policy["critical"]["effect"]
    states = [(code, state) for code in due for state in places[code]["critical"].values()]
    failures = sum(state == "failed" for _, state in states)
    failed_at = {code for code, state in states if state == "failed"}
    passed = 0
    for code in held:
        cut = stations[code]["cut"]
        if cut is not None and reaches(policy, places[code]["score"], cut):
            passed += not (effect == "station" and code in failed_at)
    result["stationsPassed"] = passed
    if not judged_by:
        if not is_excluded:
            why.add("noStations")
    else:
        basis = due if policy["missing"] == "zero" else held
        weight = math.fsum(stations[code]["weight"] for code in basis)
        if weight > 0:
            result["total"] = math.fsum(stations[code]["weight"] * places[code]["score"] for code in held)
            result["mean"] = result["total"] / weight
        cuts = [stations[code]["cut"] for code in judged_by]
        if None not in cuts:
            weights = [stations[code]["weight"] for code in judged_by]
            result["cut"] = math.fsum(w * c for w, c in zip(weights, cuts)) / math.fsum(weights)
            if policy["k"] == 0:
                result["cutPlusSem"] = result["cut"]
            elif figures and figures["error"] is not None:
                result["cutPlusSem"] = result["cut"] + policy["k"] * figures["error"]
        if missing and policy["missing"] == "incomplete":
            why.add("missingStation")
        if result["cut"] is None:
            why.add("noCut")
        elif result["cutPlusSem"] is None:
            why.add("noSem")
    for state, code in (("blank", "criticalBlank"), ("disputed", "criticalDisputed")):
        if any(found == state for _, found in states):
            why.add(code)
    if result["mean"] is not None and result["cutPlusSem"] is not None:
        if not reaches(policy, result["mean"], result["cutPlusSem"]):
            why.add("belowCut")
    least = None
    if due and figures:
        least = least_stations(policy["minimumStations"], figures["predicted"], figures["k"], len(judged_by))
        if least is None and policy["minimumStations"] == "predicted":
            why.add("noPrediction")
        if least is not None and passed < least:
            why.add("tooFewStations")
    if effect == "exam" and failures > policy["critical"]["allowed"]:
        why.add("criticalFailure")
    result["reasons"] = sorted(why)
    result["criticalFailures"] = failures
    result["outcome"] = next((name for name, codes in OUTCOMES.items() if codes & why), "pass")
    result["closeCall"] = False
    if result["outcome"] in ("pass", "fail"):
        error = figures and figures["error"]
        decided = None not in (result["mean"], result["cutPlusSem"], error)
        is_near = decided and abs(result["mean"] - result["cutPlusSem"]) <= error + NEAR
        result["closeCall"] = bool(is_near or least is not None and passed in (least, least - 1))
    return result


# ---- Comparing


class Comparison:
    def __init__(self):
        self.compared, self.differences = 0, []

    def same(self, where, mine, theirs):
        self.compared += 1
        if isinstance(mine, dict):
            for name, value in mine.items():
                self.same(f"{where} {name}", value, theirs[name])
            self.compared -= 1
            return
        numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (mine, theirs))
        equal = abs(mine - theirs) <= NEAR * max(1, abs(theirs)) if numbers else mine == theirs
        if not equal:
            self.differences.append(f"{where}: {mine} here, {theirs} in the results")


def compare(found, printed):
    comparison = Comparison()
    theirs = {station["station"]: station for station in printed["stations"]}
    for station in printed["stations"]:
        station["leftOut"] = sorted([entry["candidate"], entry["reason"]] for entry in station["leftOut"])
    for candidate in printed["candidates"]:
        candidate["reasons"] = sorted(candidate["reasons"])
        candidate["criticalFailures"] = len(candidate["criticalFailures"])
    for code, figures in found["stations"].items():
        comparison.same(f"station {code}", figures, theirs[code])
    sets = {tuple(sorted(own)): figures for own, figures in found["sets"].items()}
    listed = [(tuple(sorted(s["stations"])), s) for s in printed["stationSets"]] or [
        (tuple(sorted(s["station"] for s in printed["stations"] if s["counted"])), printed["exam"])]
    for own, figures in listed:
        if own in sets:
            mine = {name: value for name, value in sets[own].items() if name not in ("error", "ifDeleted", "rest")}
            comparison.same(f"exam {' '.join(own)}", mine, figures)
        elif any(figures[name] is not None for name in ("alpha", "sdTotal", "cutMean")):
            comparison.differences.append(f"exam {' '.join(own)}: no such set of stations here")
    for candidate in printed["candidates"]:
        who = candidate["number"]
        # Nothing is planned of who was to come to withdrawn stations alone.
        nothing = {"total": None, "mean": None, "stationsDue": 0, "rank": None}
        comparison.same(f"candidate {who}", found["candidates"].get(who, nothing), candidate)
        for place in candidate["stations"]:
            held = found["people"].get(who, {}).get(place["station"])
            if not held:
                continue
            for name in ("score", "grade"):
                comparison.same(f"candidate {who} station {place['station']} {name}", held[name], place[name])
            comparison.same(f"candidate {who} station {place['station']} reason", held["reason"] or held["noGrade"],
                            place["reason"])
            blanks = 0 if held["reason"] in NOT_THERE else held["blanks"]
            comparison.same(f"candidate {who} station {place['station']} blanks", blanks, place["blanks"])
    outcomes = [candidate["outcome"] for candidate in printed["candidates"]]
    for outcome, name in (("pass", "passed"), ("fail", "failed"), ("incomplete", "incomplete"), ("excluded", "excluded")):
        comparison.same(f"exam {name}", outcomes.count(outcome), printed["exam"][name])
    return comparison


def main(arguments):
    options, files = {}, []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--set":
            name, _, value = next(waiting, "").partition("=")
            try:
                options[name] = json.loads(value)
            except ValueError:
                options[name] = value
        else:
            files.append(argument)
    if len(files) != 4:
        print(__doc__, file=sys.stderr)
        return 64
    marks, rulings, attendance = (read(file) for file in files[:3])
    policy = choices(rulings, options)
    found = results(marks, rulings, attendance, policy)
    with open(files[3], encoding="utf-8") as file:
        printed = json.load(file)
    comparison = compare(found, printed)
    for line in comparison.differences:
        print(line)
    verdict = "all agree to 1e-9" if not comparison.differences else f"{len(comparison.differences)} differ"
    print(f"{comparison.compared} figures of {len(found['candidates'])} candidates compared: {verdict}")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
