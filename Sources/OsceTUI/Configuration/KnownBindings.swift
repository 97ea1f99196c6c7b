// Written from the screens' own tables by a test, with OSCE_UPDATE_GOLDEN=1; not to be edited.
import Terminal

/// Every screen's bindings, for checking a configuration before any screen exists.
enum KnownBindings {
  static let screens: [KeyChoices.Screen] = [
    .init(
      "A demonstration",
      """
      seats.open enter
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Sign in",
      """
      signin.choose enter
      signin.move fixed down up pgdn pgup
      signin.back esc
      signin.quit ctrl-q
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      interrupt ctrl-c
      """),
    .init(
      "Station sessions",
      """
      sessions.open enter
      sessions.all tab
      sessions.lead D
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Roster",
      """
      roster.open enter
      roster.attendance a
      roster.next >
      roster.undo z ctrl-z
      roster.redo Z
      comment.candidate c
      comment.station C
      comment.circuit ctrl-o
      comment.concern f
      help.call !
      instructions i
      station.wrongCandidate M
      station.missing m
      station.person p
      station.paper P
      station.lock L
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Mark sheet",
      """
      sheet.early E
      sheet.open enter
      sheet.level fixed 0 1 2 3 4 5 6 7 8 9
      sheet.ten t
      sheet.half h
      sheet.yes y
      sheet.no n
      sheet.number =
      sheet.unable u
      sheet.clear x
      sheet.undo z ctrl-z
      sheet.redo Z
      sheet.read left
      sheet.readNext right
      sheet.feedback e
      sheet.tags T
      sheet.blanks b
      sheet.goTo '
      sheet.previousSection [
      sheet.nextSection ]
      sheet.fold space
      sheet.nextForm tab
      sheet.nextRound >
      sheet.previousRound <
      sheet.sign s
      sheet.signAnyway S
      sheet.duplicate d
      sheet.attendance a
      sheet.takeOver O
      sheet.history H
      sheet.strip r
      sheet.stripShown R
      sheet.jot ,
      sheet.privacy \\
      sheet.pad N
      sheet.padUnable .
      sheet.padNumber *
      sheet.padBack -
      sheet.padNext +
      comment.candidate c
      comment.station C
      comment.circuit ctrl-o
      comment.concern f
      help.call !
      instructions i
      station.wrongCandidate M
      station.missing m
      station.person p
      station.paper P
      station.lock L
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Comments",
      """
      comments.new n
      comments.edit enter
      comments.visible v
      comments.concern f
      station.missing m
      help.call !
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Wrong candidate",
      """
      wrong.choose enter
      wrong.round fixed 0 1 2 3 4 5 6 7 8 9
      station.missing m
      help.call !
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Missing",
      """
      missing.open enter
      missing.all m
      missing.back esc
      help.call !
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Outbox",
      """
      outbox.again r
      outbox.back esc
      help.call !
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Choosing a person",
      """
      person.choose enter
      person.move fixed down up pgdn pgup
      person.back esc
      help.call !
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      interrupt ctrl-c
      """),
    .init(
      "Comments to a person",
      """
      remarks.new n
      remarks.edit enter
      station.missing m
      help.call !
      station.told w
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Next session",
      """
      next.open n
      next.other s
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Hall",
      """
      hall.ledger enter
      hall.attendance a
      hall.incident i
      hall.tell t
      hall.rerun m
      hall.time x
      hall.cover c
      hall.broken O
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Help",
      """
      help.acknowledge enter
      help.resolve d
      help.settled h
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Clear",
      """
      clear.release enter
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Incidents",
      """
      incident.seconds enter
      incident.time t
      incident.new n
      incident.withdraw x
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Times",
      """
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, People",
      """
      people.ledger enter
      people.attendance a
      people.swap w
      people.extra n
      people.time x
      people.rerun m
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Re-run",
      """
      rerun.begin b
      rerun.add n
      rerun.done d
      rerun.withdraw x
      rerun.again enter
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Tell",
      """
      message.send n
      message.station t
      message.withdraw x
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Desk, Ready",
      """
      ready.again l
      ready.read enter
      desk.pause p
      desk.pause.all P
      desk.pause.always ctrl-p
      desk.resume r
      desk.start s
      desk.later @
      desk.more +
      desk.less -
      desk.extend e
      desk.skip S
      desk.restart R
      desk.jump J
      desk.rounds N
      desk.stop X
      desk.undo z
      desk.redo Z
      desk.time T
      desk.next tab
      desk.all A
      desk.circuit.1 f1
      desk.circuit.2 f2
      desk.circuit.3 f3
      desk.circuit.4 f4
      desk.circuit.5 f5
      desk.circuit.6 f6
      desk.circuit.7 f7
      desk.circuit.8 f8
      desk.session o
      desk.lock L
      desk.page.1 1
      desk.page.2 2
      desk.page.3 3
      desk.page.4 4
      desk.page.5 5
      desk.page.6 6
      desk.page.7 7
      desk.page.8 8
      desk.page.9 9
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Exam lead",
      """
      lead.open enter
      lead.station.next l right
      lead.station.previous h left
      lead.session.next ] tab
      lead.session.previous [
      lead.message t
      lead.filter f
      lead.chase m
      lead.results v
      lead.closing c
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Chase",
      """
      chase.open enter
      chase.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Results",
      """
      results.open enter
      results.page tab
      results.error e
      results.blanks b
      results.double d
      results.exclude x
      results.decide w
      results.again r
      results.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Results of a station",
      """
      station.next ] tab
      station.previous [
      station.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Closing",
      """
      closing.open enter
      closing.waive w
      closing.next ]
      closing.previous [
      closing.again r
      closing.lock L
      closing.reopen U
      closing.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Closing, lines",
      """
      lines.open enter
      lines.waive w
      lines.answer a
      lines.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Adjudicate",
      """
      adjudicate.first 1
      adjudicate.second 2
      adjudicate.mean m
      adjudicate.type =
      adjudicate.next n
      adjudicate.back esc
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      interrupt ctrl-c
      """),
    .init(
      "Everywhere",
      """
      move fixed j k down up g G home end pgup pgdn
      find /
      help ?
      palette :
      outbox ctrl-t
      repaint ctrl-l
      back q
      quit Q
      leave esc
      interrupt ctrl-c
      """),
    .init(
      "Wall",
      """
      wall.page tab right space
      wall.quit Q q
      wall.help ?
      wall.repaint ctrl-l
      wall.interrupt ctrl-c
      """),
    .init(
      "Typing",
      """
      text.left fixed left
      text.right fixed right
      text.wordLeft fixed ctrl-left alt-left alt-b
      text.wordRight fixed ctrl-right alt-right alt-f
      text.start fixed home ctrl-a
      text.end fixed end ctrl-e
      text.backspace fixed backspace ctrl-h
      text.delete fixed del ctrl-d
      text.deleteWord fixed ctrl-w ctrl-backspace alt-backspace
      text.deleteToStart fixed ctrl-u
      """),
    .init(
      "Writing several lines",
      """
      text.newLine fixed enter
      text.up fixed up
      text.down fixed down
      text.pageUp fixed pgup
      text.pageDown fixed pgdn
      text.textStart fixed ctrl-home
      text.textEnd fixed ctrl-end
      text.deleteToEnd fixed ctrl-k
      text.undo fixed ctrl-z
      text.redo fixed ctrl-y alt-z
      text.offers fixed ctrl-p
      text.finish fixed esc
      """),
    .init(
      "Filling in a form",
      """
      form.next fixed enter tab down
      form.previous fixed shift-tab up
      form.finish fixed esc
      """),
  ]
}
