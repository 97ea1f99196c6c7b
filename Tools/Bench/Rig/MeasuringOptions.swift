import ArgumentParser
import ExamStore

/// Where measurements and fault tests lie.
public struct FolderOption: ParsableArguments, Sendable {
  /// The folder.
  @Option(help: "A folder on a local disk.") public var folder = "/var/tmp"

  /// As the command line says.
  public init() {}

  /// Makes a folder of its own there, with a made-up exam in a new store.
  /// - Throws: `RigError` if it cannot be made; nothing is left then.
  public func prepare(_ exam: BenchExam) throws -> (scratch: ScratchFolder, path: String, store: ExamStore) {
    let scratch = try ScratchFolder(in: folder)
    do {
      let path = scratch.file("store.sqlite")
      return (scratch, path, try exam.load(into: path))
    } catch {
      scratch.remove()
      throw error
    }
  }
}

/// The program that is measured, and where.
public struct MeasuringOptions: ParsableArguments, Sendable {
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @OptionGroup var place: FolderOption

  /// As the command line says.
  public init() {}

  /// The program's path.
  public var osce: String { program ?? ProcessFacts.ownFolder + "/osce" }

  /// The folder.
  public var folder: String { place.folder }

  /// Makes a folder of its own there, with a made-up exam in a new store.
  /// - Throws: `RigError` if it cannot be made; nothing is left then.
  public func prepare(_ exam: BenchExam) throws -> (scratch: ScratchFolder, path: String, store: ExamStore) {
    try place.prepare(exam)
  }
}
