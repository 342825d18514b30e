<?php
// Measures Symfony Messenger on its Doctrine transport: `php main.php symfony-doctrine --jobs N --mysql URL`.
// Prints one JSON line per workload.
//
// All is Debian's: php-cli, php-mysql, php-symfony-doctrine-messenger. The transport makes its own table; messages go through
// Messenger's own bus and worker, each worker a process, as its documentation has it. The rest says what `../node/harness.js` says.

require '/usr/share/php/Doctrine/DBAL/autoload.php';
require '/usr/share/php/Symfony/Component/Messenger/autoload.php';
require '/usr/share/php/Symfony/Component/Messenger/Bridge/Doctrine/autoload.php';

use Doctrine\DBAL\DriverManager;
use Symfony\Component\Messenger\Bridge\Doctrine\Transport\Connection;
use Symfony\Component\Messenger\Bridge\Doctrine\Transport\DoctrineTransport;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\Exception\TransportException;
use Symfony\Component\Messenger\Handler\HandlersLocator;
use Symfony\Component\Messenger\MessageBus;
use Symfony\Component\Messenger\Middleware\HandleMessageMiddleware;
use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;
use Symfony\Component\Messenger\Worker;

const NAME = 'symfony-doctrine';
const SINGLE_CALLERS = 8;
const SINGLES = 2000;
const BULK = 1000;
const WORKERS = 8;
const POLL_US = 20_000;
// What the transport marks a message with that was handled; the row itself goes with the next look.
const HANDLED = '9999-12-31 23:59:59';

final class Noop
{
    public function __construct(public array $payload)
    {
    }
}

/** The same 200 bytes of JSON for every peer. */
function message(int $i): Envelope
{
    return new Envelope(new Noop([
        'i' => $i,
        'to' => 'user@example.com',
        'template' => 'welcome',
        'vars' => ['name' => 'Some Body', 'n' => 12345],
        'pad' => str_repeat('x', 110),
    ]));
}

function database(string $url): Doctrine\DBAL\Connection
{
    return DriverManager::getConnection(['url' => $url]);
}

function transport(Doctrine\DBAL\Connection $database): DoctrineTransport
{
    $settings = Connection::buildConfiguration('doctrine://default?auto_setup=false');
    return new DoctrineTransport(new Connection($settings, $database), new PhpSerializer());
}

/** Runs the same in several processes, each with its number, and says who they are. */
function processes(int $count, callable $work): array
{
    $children = [];
    for ($number = 0; $number < $count; $number++) {
        $child = pcntl_fork();
        if ($child === 0) {
            $work($number);
            // Nothing of the parent's is to be ended here.
            posix_kill(getmypid(), SIGKILL);
        }
        $children[] = $child;
    }
    return $children;
}

function seconds(callable $work): float
{
    $start = hrtime(true);
    $work();
    return (hrtime(true) - $start) / 1e9;
}

function report(string $workload, int $n, int $concurrency, float $seconds, string $note): void
{
    $load = sprintf('load1=%.1f', sys_getloadavg()[0]);
    echo json_encode([
        'peer' => NAME,
        'workload' => $workload,
        'n' => $n,
        'concurrency' => $concurrency,
        'seconds' => round($seconds, 3),
        'per_second' => round($n / $seconds, 1),
        'notes' => trim("$note $load"),
    ]), "\n";
}

function enqueueSingles(string $url, int $singles): void
{
    $share = intdiv($singles, SINGLE_CALLERS);
    $callers = processes(SINGLE_CALLERS, function (int $number) use ($url, $share) {
        $transport = transport(database($url));
        for ($i = 0; $i < $share; $i++) {
            $transport->send(message($number * $share + $i));
        }
    });
    foreach ($callers as $caller) {
        pcntl_waitpid($caller, $status);
    }
}

/** Messenger has no bulk call: what one transaction of the application sends is committed at once. */
function enqueueBulk(string $url, int $from, int $to): void
{
    $database = database($url);
    $transport = transport($database);
    for ($first = $from; $first < $to; $first += BULK) {
        $database->transactional(function () use ($transport, $first, $to) {
            for ($i = $first; $i < min($to, $first + BULK); $i++) {
                $transport->send(message($i));
            }
        });
    }
}

/** A worker that the database has told of a deadlock ends, and is started again, as by the supervisor that Messenger asks for. */
function work(string $url): never
{
    while (true) {
        try {
            workOn($url);
        } catch (TransportException $error) {
            fwrite(STDERR, $error->getMessage() . "\n");
        }
    }
}

function workOn(string $url): void
{
    $handlers = new HandlersLocator([Noop::class => [static function (Noop $noop): void {}]]);
    $bus = new MessageBus([new HandleMessageMiddleware($handlers)]);
    $worker = new Worker(['async' => transport(database($url))], $bus);
    $worker->run();
}

/** Until the store itself says that nothing is left to do. */
function drain(string $url): array
{
    $workers = processes(WORKERS, fn () => work($url));
    $database = database($url);
    $left = 'SELECT 1 FROM messenger_messages WHERE delivered_at IS NULL OR delivered_at <> ? LIMIT 1';
    while ($database->fetchOne($left, [HANDLED]) !== false) {
        usleep(POLL_US);
    }
    return $workers;
}

function measure(string $url, int $jobs): void
{
    $database = database($url);
    $database->executeStatement('DROP DATABASE IF EXISTS peer');
    $database->executeStatement('CREATE DATABASE peer');
    $url = preg_replace('#/[^/]*$#', '/peer', $url);
    transport(database($url))->setup();

    $singles = intdiv(min(SINGLES, intdiv($jobs, 5)), SINGLE_CALLERS) * SINGLE_CALLERS;
    report('enqueue_single', $singles, SINGLE_CALLERS, seconds(fn () => enqueueSingles($url, $singles)), '');
    report('enqueue_bulk', $jobs - $singles, 1, seconds(fn () => enqueueBulk($url, $singles, $jobs)), '1000 sends in a transaction');
    $database->fetchAllAssociative('ANALYZE TABLE peer.messenger_messages');
    $workers = [];
    $took = seconds(function () use ($url, &$workers) {
        $workers = drain($url);
    });
    report('drain', $jobs, WORKERS, $took, WORKERS . ' worker processes');
    foreach ($workers as $worker) {
        posix_kill($worker, SIGKILL);
        pcntl_waitpid($worker, $status);
    }
    $database->executeStatement('DROP DATABASE peer');
}

$given = [];
foreach (array_chunk(array_slice($argv, 2), 2) as [$option, $value]) {
    $given[ltrim($option, '-')] = $value;
}
if (($argv[1] ?? '') !== NAME || !isset($given['mysql'])) {
    fwrite(STDERR, 'usage: php main.php ' . NAME . " --jobs N --mysql URL\n");
    exit(2);
}
measure($given['mysql'], (int) ($given['jobs'] ?? 100000));
