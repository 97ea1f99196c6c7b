// swift-format-ignore-file
// Generated from fixtures/year3-osce; a test holds the two together and, with OSCE_WRITE_YEAR3 set, writes this file anew.

/// The year 3 exam, carried in the program as an example.
public enum Year3Exam {
  /// The files of its folder, by path.
  public static let files: [String: String] = [
    "exam.yaml": #"""
# A year 3 OSCE: two parallel circuits of eight stations (seven marked, one rest), a morning and an afternoon.
# 2 circuits x 8 slots x 2 sessions = 32 slots = 30 candidates + 2 empty slots.

exam: Year 3 Integrated OSCE
timeZone: Europe/London

# Every circuit runs this cycle until each candidate has been at every station. The invigilator starts each round by
# hand, once everybody stands at a door.
phases:
  - reading 60 s, manual start
  - rotation 8 min
  - changeover 60 s

warnings:
  - { phase: reading, left: 0 s, level: none, text: "Please enter the station." }
  - { phase: rotation, left: 2 min, level: amber, text: "Two minutes remaining." }
  - { phase: rotation, left: 30 s, level: red, text: "Thirty seconds remaining." }
  - { phase: rotation, left: 0 s, level: red, text: "Stop now and move to the next station." }

# Both circuits have the same ring. A station has the mark sheet of its own code.
stations:
  - { code: CHEST, name: Chest pain history, simulatedPatient: true, lead: nokafor }
  - { code: ABDO, name: Abdominal examination, patients: true }
  - { code: CONSENT, name: Consent for gastroscopy, simulatedPatient: true, lead: mlindqvist }
  - { code: RX, name: Prescribing in acute asthma }
  - { code: REST, name: Rest station, rest: true }
  - { code: RESUS, name: Adult basic life support, lead: doneill }
  - { code: NEWS, name: Breaking bad news, simulatedPatient: true }
  - { code: DENTAL, name: Dental charting, patients: true, requiresStudentSignout: true }

circuits:
  - code: BLUE
    name: Blue circuit
    disciplines: [Medicine, Dentistry]
  - code: GREEN
    name: Green circuit
    disciplines: [Medicine]

sessions:
  - name: Morning
    date: 2026-12-07
    start: "09:00"
    end: "10:30"
    circuits:
      BLUE:
        assessors:
          CHEST: nokafor
          ABDO: hyamamoto
          CONSENT: mlindqvist
          RX: psharma
          RESUS: doneill
          NEWS: aalrashid
          DENTAL: tnguyen
        coMarkers:
          CONSENT: rfitzgerald
        slots: [30101, 30102, 30103, 30104, 30105, 30106, 30107, 30108]
      GREEN:
        assessors:
          CHEST: gmoreau
          ABDO: jadeyemi
          CONSENT: skowalska
          RX: lchen
          RESUS: bthomas
          NEWS: evasquez
          DENTAL: ipetrov
        slots: [30109, 30110, 30111, empty, 30112, 30113, 30114, 30115]

  - name: Afternoon
    date: 2026-12-07
    start: "13:30"
    end: "15:00"
    circuits:
      BLUE:
        assessors:
          CHEST: nokafor
          ABDO: hyamamoto
          CONSENT: mlindqvist
          RX: psharma
          RESUS: doneill
          NEWS: aalrashid
          DENTAL: tnguyen
        coMarkers:
          CONSENT: rfitzgerald
        cover:
          ABDO: fhaddad
        group: Blue afternoon
      GREEN:
        assessors:
          CHEST: gmoreau
          ABDO: jadeyemi
          CONSENT: skowalska
          RX: lchen
          RESUS: bthomas
          NEWS: evasquez
          DENTAL: ipetrov
        slots: [30124, 30125, 30126, 30127, 30128, 30129, 30130, empty]

# Ready-made comments, by heading.
comments:
  What went well:
    - Put the patient at ease from the first sentence.
    - Worked in a clear and complete order.
    - Explained each step before doing it.
  What to work on:
    - Ask one question at a time and wait for the answer.
    - Summarise before moving on.
    - Check understanding instead of asking whether there are questions.

"""#,
    "candidates.csv": #"""
number,surname,forename,title,email,year,group,major,extra_reading_seconds,extra_station_seconds,access
30101,Abara,Chidinma,Ms,c.abara@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,,,
30102,Bennett,Oliver,Mr,o.bennett@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,,,
30103,王,小明,Mr,xm.wang@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,,,
30104,O'Connor,Siobhán,Ms,s.oconnor@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,,,
30105,العتيبي,ليلى,Ms,l.alotaibi@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,,,
30106,Davies,Rhys,Mr,r.davies@students.example.ac.uk,Year 3,Blue morning,BDS Dentistry,,,
30107,Eriksson,Maja,Ms,m.eriksson@students.example.ac.uk,Year 3,Blue morning,MBBS Medicine,15,120,"25 per cent extra time, agreed 2 November. Coloured overlay on all reading material."
30108,Farrell,Joseph,Mr,j.farrell@students.example.ac.uk,Year 3,Blue morning,BDS Dentistry,,,
30109,Nguyễn,Thị Hồng,Ms,th.nguyen@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30110,Gupta,Rohan,Mr,r.gupta@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30111,Hargreaves,Eleanor,Ms,e.hargreaves@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30112,Ibrahim,Yusuf,Mr,y.ibrahim@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30113,Jankowski,Piotr,Mr,p.jankowski@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30114,"Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh-Vandenberghe-Papadimitriou","Maximiliane Konstantina Philippa Theodora Wilhelmina",Ms,m.wolfe@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30115,Kaur,Simran,Ms,s.kaur@students.example.ac.uk,Year 3,Green morning,MBBS Medicine,,,
30116,Lambert,Chloé,Ms,c.lambert@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,
30117,MacLeod,Fergus,Mr,f.macleod@students.example.ac.uk,Year 3,Blue afternoon,BDS Dentistry,,,
30118,Novák,Jiří,Mr,j.novak@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,
30119,佐藤,陽菜,Ms,h.sato@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,
30120,Owusu,Kwame,Mr,k.owusu@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,
30121,Patel,Priya,Ms,p.patel@students.example.ac.uk,Year 3,Blue afternoon,BDS Dentistry,,,
30122,Quinn,Niamh,Ms,n.quinn@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,"Prosthetic left hand: may ask for equipment to be placed on the right."
30123,Rossi,Matteo,Mr,m.rossi@students.example.ac.uk,Year 3,Blue afternoon,MBBS Medicine,,,
30124,Silva,Beatriz,Ms,b.silva@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,
30125,Taylor,Jack,Mr,j.taylor@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,
30126,Umar,Aisha,Ms,a.umar@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,
30127,김,민준,Mr,mj.kim@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,
30128,Williams,Grace,Ms,g.williams@students.example.ac.uk,Year 3,Green afternoon,BDS Dentistry,,,
30129,Yılmaz,Emre,Mr,e.yilmaz@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,
30130,Zieliński,Łukasz,Mr,l.zielinski@students.example.ac.uk,Year 3,Green afternoon,MBBS Medicine,,,

"""#,
    "staff.csv": #"""
username,title,forename,surname,email,role,passcode
nokafor,Dr,Ngozi,Okafor,n.okafor@example.ac.uk,assessor,
hyamamoto,Dr,陽子,山本,h.yamamoto@example.ac.uk,assessor,
mlindqvist,Prof.,Måns,Lindqvist,m.lindqvist@example.ac.uk,assessor,
rfitzgerald,Dr,Róisín,FitzGerald,r.fitzgerald@example.ac.uk,assessor,
psharma,Ms,Pooja,Sharma,p.sharma@example.ac.uk,assessor,
doneill,Mr,Declan,O'Neill,d.oneill@example.ac.uk,assessor,
aalrashid,Dr,أحمد,الراشد,a.alrashid@example.ac.uk,assessor,
tnguyen,Dr,Tuấn,Nguyễn,t.nguyen@example.ac.uk,assessor,
gmoreau,Dr,Geneviève,Moreau,g.moreau@example.ac.uk,assessor,
jadeyemi,Dr,Jide,Adeyemi,j.adeyemi@example.ac.uk,assessor,
skowalska,Dr,Sylwia,Kowalska,s.kowalska@example.ac.uk,assessor,
lchen,Mr,力,陈,l.chen@example.ac.uk,assessor,
bthomas,Sister,Bethan,Thomas,b.thomas@example.ac.uk,assessor,
evasquez,Dr,Elena,Vásquez,e.vasquez@example.ac.uk,assessor,
ipetrov,Dr,Ivan,Petrov,i.petrov@example.ac.uk,assessor,
fhaddad,Dr,Farah,Haddad,f.haddad@example.ac.uk,assessor,
wbarker,Mrs,Wendy,Barker,w.barker@example.ac.uk,invigilator,
oprice,Mr,Owen,Price,o.price@example.ac.uk,invigilator,
cdubois,Prof.,Camille,Dubois,c.dubois@example.ac.uk,lead,
kmensah,Mr,Kofi,Mensah,k.mensah@example.ac.uk,office,
vstone,Dr,Vera,Stone,v.stone@example.ac.uk,auditor,
wall,,,Wall screens,,display,

"""#,
    "sheets/ABDO.yaml": #"""
name: Abdominal examination
instructions: Examine the abdomen and present the findings.
candidateInstructions: |
  Mrs Joan Whitlock, 64, has had upper abdominal discomfort for two months.

  Examine her abdomen. Speak about what you are doing if you wish. In the last two minutes present your findings
  to the assessor. Do not examine the groins or do a rectal examination; say when you would.
assessorInstructions: |
  The patient has a palpable liver edge two finger breadths below the costal margin. There is no ascites.
  Stop a candidate who causes pain and go on from there. At 6 minutes ask for the findings.
globalRating: global
borderlineGrade: 2

sections:
  - key: preparation
    name: Preparation
    items:
      - { key: wash, text: Washes hands before and after, tags: [safety] }
      - { key: identity, text: "Introduces self, confirms identity and gains consent" }
      - { key: chaperone, text: Offers a chaperone }
      - { key: position, text: "Lies the patient flat with one pillow, exposes adequately, preserves dignity" }
      - { key: pain, text: Asks about pain before touching, mandatory: true }

  - key: inspection
    name: Inspection
    foldable: true
    items:
      - { key: hands, text: "Hands: clubbing, palmar erythema, flapping tremor", scale: 0-2, information: "One mark for two signs, two for all three" }
      - { key: face, text: "Eyes, mouth and neck: jaundice, pallor, ulcers, left supraclavicular node", scale: 0-2 }
      - { key: abdomen, text: "Abdomen: scars, distension, masses, visible peristalsis, hernia on coughing" }

  - key: palpation
    name: Palpation, percussion, auscultation
    items:
      - { key: light, text: "Light palpation in nine regions, watching the face" }
      - { key: deep, text: Deep palpation in nine regions }
      - { key: liver, text: "Liver: from the right iliac fossa, with the breath, percusses upper and lower border", scale: 0-4, threshold: 2, lowerThreshold: 1 }
      - { key: spleen, text: "Spleen: from the right iliac fossa, rolls to the right if not felt", scale: 0-4, threshold: 2, lowerThreshold: 1 }
      - { key: kidneys, text: Ballots both kidneys }
      - { key: ascites, text: Tests for shifting dullness, unable: true, information: "Unable: if the patient cannot turn" }
      - { key: bowel, text: "Listens for bowel sounds, long enough" }
      - { key: bruits, text: Listens for aortic and renal bruits, unable: true }

  - key: findings
    name: Findings
    items:
      - { key: completes, text: "Would complete with groins, genitalia, rectal examination and urinalysis" }
      - key: presentation
        text: Presentation of the findings
        scale: 1-5
        threshold: 3
        lowerThreshold: 2
        mandatory: true
      - { key: differential, text: "Gives two reasonable causes of an enlarged liver" }
      - { key: comfort, text: "Leaves the patient covered and comfortable, and thanks her" }
      - { key: note, type: feedback, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: causes harm, or misses most of the examination" }
          - { value: 2, text: "Borderline: the main steps, hesitant or out of order" }
          - { value: 3, text: "Pass: sound technique, main findings reported" }
          - { value: 4, text: "Good: fluent technique, accurate report" }
          - { value: 5, text: "Excellent: as a practising doctor" }

"""#,
    "sheets/CHEST.yaml": #"""
name: Chest pain history
instructions: Take a focused history of chest pain and give the likely diagnosis.
candidateInstructions: |
  You are a doctor in the acute medical unit.
  Mr Alan Reeves, 58, came in an hour ago with chest pain. His observations are stable.

  Take a focused history. In the last minute, tell the assessor the most likely diagnosis and the two
  investigations that you want first. Do not examine him.
assessorInstructions: |
  Do not prompt. At 7 minutes ask: "What is the most likely diagnosis, and what two investigations would you do first?"
  The simulated patient has tight central pain that came on at rest 90 minutes ago, with sweating and nausea.
globalRating: global
borderlineGrade: 2
critical: [allergies]

sections:
  - key: opening
    name: Opening
    items:
      - { key: wash, text: Washes hands or uses gel, tags: [safety] }
      - { key: identity, text: "Introduces self with role and confirms the patient's name and date of birth", mandatory: true }
      - { key: consent, text: Gains consent for the interview }

  - key: pain
    name: History of the pain
    information: Mark what was asked, not what the patient volunteered.
    foldable: true
    items:
      - { key: site, text: "Site, and whether it moves to arm, jaw or back" }
      - { key: onset, text: "Onset and what he was doing, duration, pattern over time" }
      - { key: character, text: Character and severity }
      - { key: exertion, text: "Relation to exertion, breathing, posture and food" }
      - { key: associated, text: "Associated symptoms: breathlessness, sweating, nausea, palpitations, collapse", scale: 0-1 step 0.5,
          information: "1 = four or more, 0.5 = two or three, 0 = one or none" }
      - { key: red-flags, text: "Excludes aortic dissection and pulmonary embolism by direct questions", scale: 0-1 step 0.5,
          information: "1 = both, 0.5 = one" }

  - key: background
    name: Background
    foldable: true
    items:
      - { key: risk, text: "Cardiovascular risk: smoking, blood pressure, diabetes, cholesterol, family history", scale: 0-4, threshold: 2 }
      - { key: medicines, text: "Medicines, over-the-counter ones included" }
      - { key: allergies, text: "Asks about allergies and what happened", mandatory: true, tags: [safety] }
      - { key: social, text: "Occupation, alcohol, and who is at home" }

  - key: closing
    name: Ideas and conclusion
    items:
      - { key: ice, text: "Explores ideas, concerns and expectations", scale: 0-4 }
      - { key: summary, text: Summarises and checks that it is right }
      - { key: diagnosis, text: "Names acute coronary syndrome as the most likely diagnosis" }
      - { key: tests, text: "Asks for a 12-lead ECG and serial troponin", scale: 0-1 step 0.5 }
      - { key: note, type: text, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: unsafe or disorganised" }
          - { value: 2, text: "Borderline: safe, with gaps in content or order" }
          - { value: 3, text: "Pass: safe and complete enough" }
          - { value: 4, text: "Good: fluent, complete, well ordered" }
          - { value: 5, text: "Excellent: the standard of a foundation doctor" }

"""#,
    "sheets/CONSENT.yaml": #"""
name: Consent for gastroscopy
instructions: Explain the procedure and obtain consent.
candidateInstructions: |
  Ms Dana Hughes, 42, is to have a diagnostic gastroscopy tomorrow under sedation because of difficulty in swallowing.

  Explain the procedure and obtain her consent. The form is on the table; you need not fill it in.
assessorInstructions: |
  Two of you mark this station apart from each other: do not confer until both have signed.
  If asked, the patient takes warfarin for atrial fibrillation. She worries that it will find cancer.
globalRating: global
borderlineGrade: 2
critical: [anticoagulant]

sections:
  - key: start
    name: Start
    items:
      - { key: identity, text: "Introduces self, confirms name and date of birth" }
      - { key: understanding, text: What the patient knows already, scale: 0-2 }
      - { key: capacity, text: "Forms a view of capacity: understands, retains, weighs, communicates", scale: 0-4, threshold: 2 }

  - key: procedure
    name: The procedure
    information: One mark for each that is given in words that the patient can follow.
    foldable: true
    items:
      - { key: what, text: "What it is: a thin flexible camera through the mouth into the stomach" }
      - { key: why, text: Why it is advised for her }
      - { key: before, text: "Before: nothing to eat for six hours, clear fluids until two hours" }
      - { key: during, text: "During: throat spray, sedation, about ten minutes, samples may be taken" }
      - { key: after, text: "After: sore throat, no driving or signing for 24 hours, an adult to stay" }

  - key: risks
    name: Risks and choices
    items:
      - { key: common, text: "Common: sore throat, bloating" }
      - { key: serious, text: "Rare but serious: bleeding, perforation, aspiration, reaction to sedation", scale: 0-1 step 0.5,
          information: "1 = three or more with a number or a word for how often, 0.5 = two" }
      - { key: alternatives, text: "Alternatives: barium swallow, CT, throat spray only, doing nothing" }
      - { key: anticoagulant, text: "Asks about anticoagulants, and will seek advice on warfarin", mandatory: true, tags: [safety] }
      - { key: withdraw, text: Says that she may change her mind at any time }

  - key: manner
    name: Manner
    items:
      - { key: jargon, text: "Plain words, in small pieces", scale: 1-5, threshold: 3, lowerThreshold: 2 }
      - { key: concern, text: "Finds and answers the fear of cancer honestly", scale: 1-5, threshold: 3, lowerThreshold: 2 }
      - { key: check, text: Checks understanding by asking her to say it back }
      - { key: note, type: free_text, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: consent would not be valid" }
          - { value: 2, text: "Borderline: valid, but material facts are thin" }
          - { value: 3, text: "Pass: valid and informed" }
          - { value: 4, text: "Good: informed, and shaped to this patient" }
          - { value: 5, text: "Excellent: a decision truly shared" }

"""#,
    "sheets/DENTAL.yaml": #"""
name: Dental charting
instructions: Chart the findings in one quadrant at a time.
candidateInstructions: |
  Mr Peter Lang, 35, has come for a first examination. A nurse will write what you dictate.

  Examine and chart the teeth that the assessor names. Use FDI notation. Then do a basic periodontal examination of
  one sextant and give your plan.
assessorInstructions: |
  Name three teeth, in two quadrants. Use one copy of the section "Tooth" for each tooth, with its quadrant, tooth
  and difficulty. The findings that are true are on the card.
globalRating: global
borderlineGrade: 2

sections:
  - key: safety
    name: Preparation
    items:
      - { key: hygiene, type: boolean, text: "Hand hygiene, gloves, mask and eye protection for both", mandatory: true, tags: [safety] }
      - { key: history, type: boolean, text: Confirms identity and medical history }
      - { key: light, text: "Light, chair and mirror set for a clear view" }

  - key: tooth
    name: Tooth
    information: One copy for each tooth.
    foldable: true
    duplicable: true
    maximumQuantity: 8
    maximumDifficulty: 3
    quadAndTooth: true
    items:
      - { key: number, text: Names the tooth rightly in FDI notation, mandatory: true }
      - { key: surfaces, text: "Caries and restorations by surface", scale: 0-4, threshold: 2, lowerThreshold: 1 }
      - { key: mobility, text: Tests mobility and grades it, unable: true, information: "Unable: if the tooth is missing" }
      - { key: vitality, text: Tests vitality where it is called for, scale: 0-1 step 0.5, unable: true }
      - { key: dictation, type: record, text: What was dictated }

  - key: periodontal
    name: Periodontal examination
    foldable: true
    items:
      - { key: probe, text: "WHO probe, walked round the tooth, light force" }
      - { key: code, text: "BPE code as on the card", scale: 0-4, information: "4 = exact, 2 = one code off, 0 = more" }
      - { key: bleeding, text: Notes bleeding and plaque }
      - { key: scaling, type: procedure, text: "Procedure carried out, if any" }

  - key: plan
    name: Plan and judgement
    items:
      - { key: radiographs, text: "Justifies radiographs: bitewings, and why" }
      - { key: advice, text: "Advice on diet, fluoride and cleaning between the teeth", scale: 1-5, threshold: 3, lowerThreshold: 2 }
      - { key: recall, text: Gives a recall interval that fits the risk }
      - { key: note, type: text, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: unsafe, or a chart that cannot be used" }
          - { value: 2, text: "Borderline: usable with corrections" }
          - { value: 3, text: "Pass: usable as it stands" }
          - { value: 4, text: "Good: accurate and quick" }
          - { value: 5, text: "Excellent: as a practising dentist" }

"""#,
    "sheets/NEWS.yaml": #"""
name: Breaking bad news
instructions: Tell a relative about an unexpected diagnosis.
candidateInstructions: |
  Mr Samuel Adjei, 67, had a CT scan because of weight loss. It shows cancer of the pancreas with liver metastases.
  The team has told him; he has asked you to tell his daughter Ruth, who is in the relatives' room.

  Tell her. You need not plan the treatment.
assessorInstructions: |
  The simulated relative expects gallstones. She goes silent after the news; a candidate who waits should be
  credited. She will ask: "How long has he got?"
globalRating: global
borderlineGrade: 2
hideTotal: true

sections:
  - key: setting
    name: Setting
    items:
      - { key: identity, text: "Introduces self, checks who she is and that her father agrees", mandatory: true }
      - { key: privacy, text: "Privacy, sits down, no interruptions, tissues in reach" }
      - { key: knows, text: Finds out what she knows and how much she wants to know }

  - key: matrix
    name: Communication
    information: Choose the text that fits best. Weigh the whole encounter.
    matrixTitles: [Poor, Weak, Adequate, Strong]
    items:
      - key: warning
        text: Giving the news
        descriptors:
          - { value: 0, text: "Blunt, or so veiled that she does not learn what it is" }
          - { value: 1, text: "Says it with jargon or too much at once, no warning" }
          - { value: 2, text: "Gives a warning, says cancer, then details too soon" }
          - { value: 3, text: "Warning, then plain words in small pieces, then silence" }
      - key: silence
        text: Silence and emotion
        descriptors:
          - { value: 0, text: "Talks over the reaction or leaves it unnoticed" }
          - { value: 1, text: "Notices, and changes the subject" }
          - { value: 2, text: "Waits, and names the feeling once" }
          - { value: 3, text: "Waits as long as it takes, names the feeling and makes room for it" }
      - key: honesty
        text: "Answering \"How long has he got?\""
        descriptors:
          - { value: 0, text: "A false number, or false hope" }
          - { value: 1, text: "Avoids the question" }
          - { value: 2, text: "Honest that nobody knows, little more" }
          - { value: 3, text: "Honest about uncertainty, explores why she asks, offers what can be said" }
      - key: pace
        text: Pace and control
        descriptors:
          - { value: 0, text: "Led by own agenda throughout" }
          - { value: 1, text: "Hurries at the hard moments" }
          - { value: 2, text: "Mostly at her pace" }
          - { value: 3, text: "At her pace, and yet all that matters is said" }
      - key: empathy
        text: Empathy
        unable: true
        descriptors:
          - { value: 0, text: "None shown, or it sounds learned by heart" }
          - { value: 1, text: "Words without warmth" }
          - { value: 2, text: "Warm, now and then at a loss" }
          - { value: 3, text: "Warm and genuine in words, voice and posture" }

  - key: next
    name: What comes next
    foldable: true
    items:
      - { key: support, text: "Asks who can be with her, offers the specialist nurse" }
      - { key: plan, text: "Says what happens next, and when: the team meeting, the palliative care team" }
      - { key: questions, text: "Invites questions, and takes them", scale: 0-4, threshold: 2 }
      - { key: confidential, text: Keeps to what the father agreed to share }
      - { key: close, text: "Summarises, gives a name and a number for contact" }
      - { key: relative, text: "Mark of the simulated relative: would you talk to this doctor again?", scale: 1-5, threshold: 3 }
      - { key: note, type: feedback, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: does harm" }
          - { value: 2, text: "Borderline: the news is given; the relative is left alone with it" }
          - { value: 3, text: "Pass: clear and kind" }
          - { value: 4, text: "Good: clear, kind, and follows the relative" }
          - { value: 5, text: "Excellent: a model for colleagues" }

"""#,
    "sheets/RESUS.yaml": #"""
name: Adult basic life support with a defibrillator
instructions: Manage a collapse on the ward until the team comes.
candidateInstructions: |
  You find a patient collapsed on the floor of the day room. You are alone; a nurse is within call.

  Show what you would do. An automated defibrillator is on the wall. Go on until you are told to stop.
assessorInstructions: |
  The manikin does not breathe. The nurse brings the defibrillator when asked for. First analysis: shock advised.
  Second analysis, two minutes later: no shock advised. Stop at 7 minutes.
globalRating: global
borderlineGrade: 2
critical: [safe, shock-safe]

sections:
  - key: approach
    name: Approach
    items:
      - { key: safe, text: Checks that it is safe to approach, mandatory: true, tags: [safety] }
      - { key: response, text: Shakes and shouts to check for a response }
      - { key: shout, text: Shouts for help }
      - { key: airway, text: "Opens the airway: head tilt and chin lift" }
      - { key: breathing, text: "Looks, listens and feels for up to 10 seconds; knows agonal breathing is arrest" }
      - { key: call, text: "Has the nurse call 2222 and say: adult cardiac arrest, where" }

  - key: compressions
    name: Compressions and breaths
    items:
      - { key: begin, text: Starts compressions without delay }
      - { key: position, text: "Hand position: middle of the lower half of the sternum, arms straight" }
      - { key: depth, text: Depth 5 to 6 cm with full release, scale: 0-2, unable: true, information: "Unable: if the manikin's display has failed" }
      - { key: rate, text: Rate 100 to 120 a minute, scale: 0-2, unable: true }
      - { key: ratio, text: 30 compressions to 2 breaths }
      - { key: breaths, text: "Breaths that lift the chest, pause under 10 seconds" }
      - { key: quality, text: Quality of compressions over the whole time, scale: 1-10, threshold: 6, lowerThreshold: 4 }

  - key: shock
    name: Defibrillator
    information: One copy for each analysis.
    foldable: true
    duplicable: true
    maximumQuantity: 4
    items:
      - { key: pads, text: "Pads placed rightly, compressions going on meanwhile" }
      - { key: clear, text: Nobody touches the patient during analysis }
      - { key: shock-safe, text: "Sees and says that all are clear before the shock", mandatory: true, tags: [safety] }
      - { key: resume, text: Compressions again at once after the shock or the analysis }

  - key: end
    name: Handover and judgement
    items:
      - { key: handover, text: "Hands over to the team: what happened, times, shocks", scale: 0-4, threshold: 2 }
      - { key: calm, text: Stays calm and clear, scale: 1-5, threshold: 3 }
      - { key: note, type: text, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: unsafe, or long without compressions" }
          - { value: 2, text: "Borderline: the right order with avoidable pauses" }
          - { value: 3, text: "Pass: effective and safe" }
          - { value: 4, text: "Good: effective, few pauses, clear orders" }
          - { value: 5, text: "Excellent: could lead until the team comes" }

"""#,
    "sheets/RX.yaml": #"""
name: Prescribing in acute asthma
instructions: Prescribe on the chart, and say why.
candidateInstructions: |
  Leah Morris, 19, weighs 60 kg. She has acute severe asthma: she cannot finish sentences, respiratory rate 28,
  pulse 118, peak flow 40 per cent of her best, oxygen saturation 91 per cent on air. She reacts to penicillin with a rash.

  Write the immediate treatment on the chart. Then tell the assessor how you would monitor her.
assessorInstructions: |
  Mark from the chart when the candidate has put the pen down. Keep the chart with the candidate's number on it.
  At 6 minutes ask: "How will you monitor her, and when will you call for help?"
globalRating: global
borderlineGrade: 2
weight: 1.5
critical: [allergy-box]

sections:
  - key: chart
    name: The chart
    items:
      - { key: patient, text: "Name, date of birth, hospital number and weight on the chart" }
      - { key: allergy-box, text: "Allergy box: penicillin, with the reaction", mandatory: true, tags: [safety] }
      - { key: signature, text: "Each entry signed, dated, timed, with a printed name" }
      - { key: legible, text: "Legible, approved names, no unsafe abbreviations", scale: 0-2 }

  - key: drugs
    name: Treatment
    information: Drug, dose, route and frequency must all be right for full marks.
    items:
      - { key: oxygen, text: "Oxygen to a target of 94 to 98 per cent", scale: 0-1 step 0.5 }
      - { key: salbutamol, text: "Salbutamol 5 mg by oxygen-driven nebuliser, repeated", scale: 0-1 step 0.5 }
      - { key: ipratropium, text: "Ipratropium 500 micrograms by nebuliser, every 4 to 6 hours", scale: 0-1 step 0.5 }
      - { key: steroid, text: "Prednisolone 40 to 50 mg by mouth, or hydrocortisone 100 mg intravenously", scale: 0-1 step 0.5 }
      - { key: magnesium, text: "Names intravenous magnesium 1.2 to 2 g as the next step, after senior advice" }
      - { key: harm, text: "No drug that does harm: no sedative, no beta blocker", mandatory: true, tags: [safety] }

  - key: total
    name: Chart as a whole
    items:
      - { key: quality, text: "Quality of the whole prescription, out of 20", scale: 0-20, threshold: 12, lowerThreshold: 8, mandatory: true }

  - key: monitoring
    name: Monitoring
    foldable: true
    items:
      - { key: observations, text: "Peak flow, saturation, pulse, respiratory rate, potassium" }
      - { key: gases, text: "Blood gas if saturation is under 92 per cent or she tires" }
      - { key: help, text: "Calls the senior and intensive care early: exhaustion, normal or rising carbon dioxide" }
      - { key: reasons, text: How sound the reasons are, scale: 1-10, threshold: 6, lowerThreshold: 4 }
      - { key: note, type: text, text: Feedback for the candidate }
      - key: global
        text: Global rating
        mandatory: true
        descriptors:
          - { value: 1, text: "Clear fail: an error that could reach the patient" }
          - { value: 2, text: "Borderline: safe, yet incomplete" }
          - { value: 3, text: "Pass: safe and complete" }
          - { value: 4, text: "Good: complete, with a plan" }
          - { value: 5, text: "Excellent: could be given as written" }

"""#,
  ]
}
