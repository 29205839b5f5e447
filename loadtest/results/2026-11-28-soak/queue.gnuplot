set output 'queue.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Queues of nodes and HSM'
set xlabel 'minutes from the beginning'
set ylabel 'requests and jobs'
set y2tics
set ytics nomirror
set y2range [0:*]
set y2label 'age of the oldest in s'
plot 'queue.tsv' using 1:2 with lines title 'on the line' noenhanced,\
  'queue.tsv' using 1:3 with lines lw 2 title 'of them waiting in nodes' noenhanced,\
  'queue.tsv' using 1:4 with lines title 'in the HSM' noenhanced,\
  'queue.tsv' using 1:5 with lines dt 2 title 'the windows of all nodes' noenhanced,\
  'queue.tsv' using 1:6 with lines title 'of them waiting in it' noenhanced,\
  'queue.tsv' using 1:7 axes x1y2 with lines dt 3 title 'oldest (right)' noenhanced
