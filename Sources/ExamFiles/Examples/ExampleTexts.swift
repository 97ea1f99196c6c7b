extension ExampleFolder {
  static let exam = """
    # An exam. Check it with 'osce check', load it with 'osce import'; both can be repeated as often as you like.
    # What can be left out is shown with its default. Case, spaces, '_' and '-' in the names of keys do not matter.

    exam: Example OSCE               # the name on screens and exports
    timeZone: Europe/London          # dates and times below are meant there

    # One cycle of phases; it is repeated until every candidate has been at every station.
    # Types: rotation, reading, feedback, changeover, break. Lengths: 60 s, 8 min, 8:30.
    # 'manual start' makes a phase wait until somebody starts it.
    phases:
      - reading 60 s
      - rotation 5 min
      - changeover 60 s
      # The long form of a phase:
      # - { type: break, minutes: 10, seconds: 30, manualStart: false }

    # Alerts of the clock: default (amber at 2 min, red at 30 s of a rotation), liftupp (5 min, 2 min, end), none,
    # or a list that replaces the default. Levels: none, amber, red. The text is what is announced.
    warnings: default
    # warnings:
    #   - { phase: rotation, left: 2 min, level: amber, text: Two minutes remaining }
    #   - { phase: rotation, left: 0 s, level: red, text: Please move on }

    # The ring of stations, in the order in which candidates go round it. A station without 'sheets' has the mark sheet
    # of its own code, if there is one.
    stations:
      - code: HISTORY
        name: Cough history
        # sheets: [HISTORY]              # codes of mark sheets
        # forms: all                     # all: fill each of them for every candidate; one: the assessor picks one
        # rest: false                    # true: nobody is marked here
        # requiresStudentSignout: false
        # patients: false                # real patients take part
        # simulatedPatient: false
        # lead: adavies                  # username of the teaching lead
        # withdrawn: manikin broken      # why nothing counts here; it keeps its place in the ring
        # doubleMarkingMargin: 10        # how far two assessors may differ, in percent, before the lead is asked
      - code: HANDS
        name: Hand hygiene
      - code: REST
        name: Rest
        rest: true

    # Phases, warnings and stations above are those of every circuit that does not list its own.
    circuits:
      - code: A
        name: Circuit A
        # disciplines: [Medicine]

    # Slot 1 starts at the first station, slot 2 at the second, and so on. An empty slot keeps its place in the ring.
    sessions:
      - name: Morning
        date: 2026-12-07
        start: "09:00"
        # end: "10:00"
        circuits:
          A:
            assessors:                   # station: username
              HISTORY: adavies
              HANDS: bmurphy
            # coMarkers:                 # further assessors, who each fill their own sheet
            #   HISTORY: cevans
            # cover:                     # who stands in for the assessor
            #   HANDS: cevans
            slots: [1001, empty, 1002]   # candidate numbers; or the line below instead
            # group: Morning             # every candidate of this group, in the order of candidates.csv

    # At every station:
    # showNames: true                  # false: candidates are shown by number alone
    # identityDigits: 0                # 2: the last two digits of the candidate's number are typed when they come in
    # idleLockMinutes: 0               # a terminal without a key for so long locks itself, outside a run; 0: never

    # For how many days after a candidate's last session what tells of the candidate is kept; the hub lists who is past it.
    # retentionDays: 730

    # How marks become results; docs/results.md has every choice. What is not said is as here.
    # results:
    #   method: borderlineRegression
    #   k: 1                           # standard errors of measurement on top of the cut
    #   minimumStations: none          # 6, 60%, predicted
    #   missing: incomplete            # a station without a score: incomplete, prorate, zero

    # Ready-made texts for any comment, and comments by heading; may be left out.
    # phrases: [Well structured., Ran out of time.]
    comments:
      What went well:
        - Clear and friendly introduction.
      What to work on:
        - Ask one question at a time.

    """

  static let candidates = """
    number,surname,forename,title,email,year,group,extra_reading_seconds,extra_station_seconds,access,consent
    1001,Example,Ada,Ms,,Year 3,Morning,,,,
    1002,Sample,Ben,Mr,,Year 3,Morning,15,60,Large print,2026-10-01 recording for teaching

    """

  static let staff = """
    username,title,forename,surname,email,role,passcode
    adavies,Dr,Anna,Davies,,assessor,
    bmurphy,Ms,Brona,Murphy,,assessor,
    cevans,Mr,Carl,Evans,,invigilator,
    dgreen,Prof.,Dilys,Green,,lead,
    ehughes,Ms,Elin,Hughes,,office,
    # Roles: assessor (the default), invigilator, lead, office, auditor, display.
    # By the word of a lead, typed at the assessor's terminal, M moves signed sheets to the right candidate.
    # A passcode written here is stored only as a hash; take it out of the file after the import.

    """

  static let history = """
    # A mark sheet. Its code is the file's name unless 'code:' says otherwise.
    name: Cough history
    instructions: Take a focused history of a cough.     # one line under the name
    candidateInstructions: |
      Mr Roy Field, 61, has had a cough for six weeks. Take a focused history and give the most likely diagnoses.
    assessorInstructions: |
      Do not prompt. At 4 minutes ask for the most likely diagnoses.
    globalRating: global       # key of the item that is the global rating; it should be the last one with levels
    borderlineGrade: 2         # the grade of a borderline candidate
    # weight: 1                # of the station in the exam
    # pilot: false             # true: left out of results
    # hideTotal: false         # true: the running total is never shown
    critical: [blood]          # keys of items that must not be failed

    sections:
      - key: start             # 'key' ties items to their marks: keep it when you reword a text.
        name: Start            # Left out, it is made of the words of the text.
        # information:         # help text
        # foldable: false      # can be folded away
        # duplicable: false    # can be filled several times, at most 'maximumQuantity' times
        # maximumQuantity:
        # maximumDifficulty:   # records a difficulty from 1 to this
        # quadAndTooth: false  # records a dental quadrant and tooth
        # matrixTitles: []     # headings over the levels of a marking matrix
        items:
          # The shortest item: a text that is 'Not done' (0) or 'Done' (1).
          - Washes hands
          - key: identity
            text: Introduces self and confirms identity
            # type: binary     # binary, rating, text, marking_matrix, boolean, free_text, feedback, record, procedure
            # information:     # help text
            # low: 0           # values and words of the two answers
            # high: 1
            # lowText: Not done
            # highText: Done
            mandatory: true    # default false
            # unable: false    # offers 'unable to assess'
            # tags: []

      - key: content
        name: Content
        items:
          - { key: duration, text: "Duration, pattern, sputum" }
          - { key: blood, text: Asks about coughing up blood, mandatory: true }
          # A scale: '0-4', '1 to 5', '0-1 step 0.5', or { lowest: 0, highest: 4, step: 1 }.
          # One key marks a level worth 0 to 9 (the digit), 10 (t) or 0.5 (h); any other value is typed.
          # At or above 'threshold' a level is satisfactory, below 'lowerThreshold' it is not.
          - { key: risks, text: "Smoking, work, travel, contacts", scale: 0-4, threshold: 2, lowerThreshold: 1 }
          - { key: diagnoses, text: Gives the most likely diagnoses, scale: 0-1 step 0.5 }
          - { key: note, type: feedback, text: Feedback for the candidate }
          # Levels with words make a marking matrix.
          - key: global
            text: Global rating
            mandatory: true
            descriptors:
              - { value: 1, text: Clear fail }
              - { value: 2, text: Borderline }
              - { value: 3, text: Pass }
              - { value: 4, text: Good }
              - { value: 5, text: Excellent }

    """

  static let hands = """
    name: Hand hygiene
    candidateInstructions: Show how you clean your hands with alcohol rub before touching a patient.
    globalRating: global
    borderlineGrade: 2

    sections:
      - name: Technique
        items:
          - Bare below the elbows
          - Palm to palm
          - "Backs of the hands, between the fingers"
          - Thumbs and fingertips
          - Rubs until dry
          - { key: global, text: Global rating, scale: 1-5, mandatory: true }

    """
}
