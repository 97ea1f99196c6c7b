import Glibc
import Synchronization

/// The one thread of a process that waits for the store's lock and for the disk.
final class WriterThread: Sendable {
  typealias Job = @Sendable () -> Void
  /// Makes the thread, which takes over the reference to this object that it is given.
  /// - Returns: 0, or the system's error.
  typealias Maker = @Sendable (UnsafeMutableRawPointer) -> Int32

  /// What waits for the thread, and what is done instead where there is none.
  private struct Queued {
    let job: Job
    let refused: @Sendable (StoreError) -> Void
  }

  private struct State {
    var jobs: [Queued] = []
    var isStopping = false
    var isRunning = false
  }

  /// A mutex and two conditions in memory that never moves, as pthreads ask.
  private struct Gate: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let finished = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    init() {
      pthread_mutex_init(mutex, nil)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(changed, &attributes)
      pthread_cond_init(finished, &attributes)
      state.initialize(to: State())
    }

    func free() {
      pthread_mutex_destroy(mutex)
      pthread_cond_destroy(changed)
      pthread_cond_destroy(finished)
      state.deinitialize(count: 1)
      mutex.deallocate()
      changed.deallocate()
      finished.deallocate()
      state.deallocate()
    }
  }

  /// Work for a quiet spell.
  struct Housekeeping: Sendable {
    /// How long the queue must have been empty, in milliseconds.
    let after: Int
    let job: Job
  }

  private let gate = Gate()
  private let housekeeping: [Housekeeping]
  private let make: Maker

  /// - Parameter housekeeping: run on the writer thread, each once in a quiet spell; the soonest first.
  init(_ housekeeping: [Housekeeping] = [], made make: @escaping Maker = WriterThread.make) {
    (self.housekeeping, self.make) = (housekeeping, make)
  }

  deinit { gate.free() }

  /// Appends a job; jobs run one at a time, in order. The thread starts with the first.
  /// - Parameter refused: called instead, on the thread that starts it, where the system gives no thread. The next job
  ///   tries again.
  func submit(_ job: @escaping Job, refused: @escaping @Sendable (StoreError) -> Void) {
    pthread_mutex_lock(gate.mutex)
    gate.state.pointee.jobs.append(Queued(job: job, refused: refused))
    let mustStart = !gate.state.pointee.isRunning && !gate.state.pointee.isStopping
    if mustStart { gate.state.pointee.isRunning = true }
    pthread_cond_signal(gate.changed)
    pthread_mutex_unlock(gate.mutex)
    if mustStart { start() }
  }

  /// Finishes the jobs that are queued, then ends the thread and returns, or gives up after `milliseconds`.
  /// - Returns: whether everything queued was done.
  func finish(within milliseconds: Int) -> Bool {
    pthread_mutex_lock(gate.mutex)
    defer { pthread_mutex_unlock(gate.mutex) }
    gate.state.pointee.isStopping = true
    pthread_cond_signal(gate.changed)
    var deadline = WriterThread.instant(WriterThread.now + Int64(milliseconds))
    while gate.state.pointee.isRunning {
      if pthread_cond_timedwait(gate.finished, gate.mutex, &deadline) == ETIMEDOUT { return false }
    }
    return true
  }

  private func start() {
    let context = Unmanaged.passRetained(self)
    let error = make(context.toOpaque())
    if error == 0 { return }
    context.release()
    pthread_mutex_lock(gate.mutex)
    let refused = gate.state.pointee.jobs
    gate.state.pointee.jobs = []
    gate.state.pointee.isRunning = false
    pthread_cond_broadcast(gate.finished)
    pthread_mutex_unlock(gate.mutex)
    let refusal = StoreError("the system gives no further thread: \(systemError(error))", isDiskError: true)
    for queued in refused { queued.refused(refusal) }
  }

  /// Makes a thread as the system gives it; see `Maker`.
  @Sendable static func make(_ context: UnsafeMutableRawPointer) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 1 << 20)
    // Signals belong to the screen's thread.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let error = pthread_create(
      &thread, &attributes,
      { context in
        Unmanaged<WriterThread>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    if error == 0 { pthread_detach(thread) }
    return error
  }

  private func run() {
    pthread_mutex_lock(gate.mutex)
    // Nothing is to be tidied before the first job.
    var tidied = housekeeping.count
    var isQuietSince: Int64 = 0
    while true {
      if !gate.state.pointee.jobs.isEmpty {
        let job = gate.state.pointee.jobs.removeFirst().job
        pthread_mutex_unlock(gate.mutex)
        job()
        (tidied, isQuietSince) = (0, WriterThread.now)
        pthread_mutex_lock(gate.mutex)
      } else if gate.state.pointee.isStopping {
        break
      } else if tidied < housekeeping.count {
        let next = housekeeping[tidied]
        var deadline = WriterThread.instant(isQuietSince + Int64(next.after))
        if pthread_cond_timedwait(gate.changed, gate.mutex, &deadline) == ETIMEDOUT {
          tidied += 1
          pthread_mutex_unlock(gate.mutex)
          next.job()
          pthread_mutex_lock(gate.mutex)
        }
      } else {
        pthread_cond_wait(gate.changed, gate.mutex)
      }
    }
    gate.state.pointee.isRunning = false
    pthread_cond_broadcast(gate.finished)
    pthread_mutex_unlock(gate.mutex)
  }

  /// Milliseconds of the monotonic clock.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func instant(_ milliseconds: Int64) -> timespec {
    timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
  }
}
