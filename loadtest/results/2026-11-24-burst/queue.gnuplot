set output 'queue.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside top center horizontal
set grid
set yrange [0:*]
set samples 1000
set y2tics
set ytics nomirror
set y2range [0:*]
set title 'Queues of nodes and HSM'
set ylabel 'requests and jobs'
set y2label 'age of the oldest in s'
set xrange [0:*]
set xlabel 'seconds from the beginning'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 138.000000, graph 0 to 138.000000, graph 1 nohead dt 3
set label 'herd' at 138.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
plot 'queue.tsv' using 1:7 with lines title 'on the line',\
  '' using 1:2 with lines lw 2 title 'of them waiting in nodes',\
  '' using 1:3 with lines title 'in the HSM',\
  '' using 1:4 with lines dt 2 title 'the windows of all nodes',\
  '' using 1:5 with lines title 'of them waiting in it',\
  '' using 1:6 axes x1y2 with lines dt 3 title 'oldest (right)'
