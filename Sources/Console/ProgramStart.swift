import Glibc

/// What a program does before it reads its command line.
package enum ProgramStart {
  /// Holds the standard descriptors, and leaves it to a write that fails to say why.
  package static func prepare() {
    Output.holdDescriptors()
    // A reader that has seen enough is no failure: the write fails and the program ends.
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files is a disk that is full, which is told in a line.
    signal(SIGXFSZ, SIG_IGN)
  }
}
